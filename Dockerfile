# One image for every process of ours; docker-compose.yml says what each of them runs.
FROM python:3.13-slim

RUN useradd --uid 1000 --create-home boardroom
WORKDIR /app
ENV PATH=/app/.venv/bin:$PATH PYTHONUNBUFFERED=1

COPY manage.py requirements.lock installer.lock ./
RUN python manage.py install && rm -rf .tools /root/.cache

COPY . .
# The containers are read-only, so what Python would write beside the modules is written now.
RUN python -m compileall -q engine bots workers tournaments .venv/lib
ENV PYTHONDONTWRITEBYTECODE=1

USER 1000
EXPOSE 8000
CMD ["python", "manage.py", "help"]

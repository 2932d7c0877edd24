# Two images for all processes of ours; docker-compose.yml says what each of them runs.
ARG PYTHON_IMAGE=python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
FROM ${PYTHON_IMAGE} AS bare
RUN useradd --uid 1000 --create-home boardroom && install -d -o 1000 -g 1000 /dumps
WORKDIR /app
# The containers are read-only: what Python would write beside the modules is written here.
ENV PATH=/app/.venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1


# The site, and what is common to both.
FROM bare AS site
COPY manage.py requirements.lock installer.lock ./
RUN python manage.py install && rm -rf .tools /root/.cache
COPY . .
# With `--build-arg OBSERVE=1` also what tells Sentry and OpenTelemetry; the environment says where they are.
ARG OBSERVE=
RUN [ -z "$OBSERVE" ] || /usr/local/bin/python -m pip --python .venv install --no-cache-dir --require-hashes \
        -r tournaments/ops/monitoring/requirements.lock
# With `--build-arg SAML=1` also single sign-on by SAML.
ARG SAML=
RUN [ -z "$SAML" ] || /usr/local/bin/python -m pip --python .venv install --no-cache-dir --require-hashes \
        -r tournaments/features/sign_on/requirements.lock
# With `--build-arg LTI=1` also lists and grades of courses in a learning platform.
ARG LTI=
RUN [ -z "$LTI" ] || /usr/local/bin/python -m pip --python .venv install --no-cache-dir --require-hashes \
        -r tournaments/features/sign_on/lti.lock
RUN python3 -m compileall -q engine bots workers tournaments .venv/lib
USER 1000
EXPOSE 8000
CMD ["python", "manage.py", "help"]


# Match workers and the arena: also the languages that bots are written in, which the site has no use for.
FROM bare AS play
# With `--build-arg LANGUAGES="golang-go rustc default-jdk-headless"` also Go (450 MB), Rust (300 MB) and Java (270 MB).
ARG LANGUAGES=
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ gcc libc6-dev nodejs tini ${LANGUAGES} \
    && rm -rf /var/lib/apt/lists/*
COPY --from=site /app /app
# Games from outside, which lie in the checkout: they go into the deterministic division.
ARG BOARDROOM_GAMES=
# NumPy, and the deterministic division; without these lines their sets wait for workers elsewhere. The environment has
# no pip of its own.
RUN /usr/local/bin/python -m pip --python .venv install --no-cache-dir 'numpy>=2'
RUN /usr/local/bin/python -m pip --python .venv install --no-cache-dir --require-hashes \
        -r workers/sandbox/wasm/requirements.lock \
    && python3 -m workers.sandbox.wasm.build \
    && python3 -m compileall -q .venv/lib
USER 1000
CMD ["python", "-m", "workers"]

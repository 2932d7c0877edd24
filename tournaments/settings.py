"""Settings from the environment, which docs/reference.md lists. An empty one counts as unset.

docker-compose.yml hands on as an empty text what nobody has set.
"""

import os
import secrets
from pathlib import Path

from tournaments.core.config.service_urls import database, mail_server
from tournaments.core.config.sign_on import providers
from tournaments.core.config.space_budgets import maxima
from tournaments.core.config.time_zones import time_zone
from tournaments.web.api import settings as api
from workers import logs
from workers.addresses import host_name, host_names, redis_address, site_address
from workers.settings_numbers import chosen_word, share, switch, whole_number

ROOT = Path(__file__).resolve().parent.parent

DEBUG = switch(os.environ, "DEBUG")
# Without SECRET_KEY sessions last as long as the process: safe, and soon noticed.
SECRET_KEY = os.environ.get("SECRET_KEY") or secrets.token_urlsafe(48)
SECRET_KEY_IS_KEPT = bool(os.environ.get("SECRET_KEY"))
SECRET_KEY_FALLBACKS = list(filter(None, (os.environ.get("SECRET_KEY_FALLBACKS") or "").split(",")))  # of before
SITE_URL = site_address(os.environ.get("SITE_URL", ""))
ALLOWED_HOSTS = [*host_names(os.environ, "ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]"), host_name(SITE_URL)]
HTTPS = SITE_URL.startswith("https://")
# A client may say anything in X-Forwarded-For and -Proto; only what so many proxies of ours added is believed. Our own
# server speaks no TLS, so where the site's address does there is a proxy.
PROXIES = whole_number(os.environ, "PROXIES", int(HTTPS), 20, least=0)
WORKER_TOKEN = os.environ.get("WORKER_TOKEN", "")  # empty: no worker may fetch bundles
REDIS_URL = redis_address(os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0")
DATABASES = {"default": database(os.environ.get("DATABASE_URL") or "postgresql://boardroom@127.0.0.1/boardroom")}

INSTALLED_APPS = [
    "tournaments",
    "tournaments.apps.Organising",
    "django.forms",  # whose templates those of `tournaments` go before
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "tournaments.apps.LibraryAccounts",
    "tournaments.apps.LibraryFactors",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "tournaments.ops.monitoring.request_ids.request_id",
    "tournaments.core.config.tracing.request_spans",
    "tournaments.ops.monitoring.request_metrics.count_requests",
    "tournaments.web.pages.security_headers.security_headers",
    "tournaments.web.pages.languages.answer_in_page_language",
    "tournaments.web.pages.security_headers.largest_body",
    "tournaments.ops.monitoring.endpoints.monitoring_endpoints",
    "tournaments.web.pages.text_border.CleanText",
    "django.middleware.security.SecurityMiddleware",
    "tournaments.web.server.unchanged.not_sent_again",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "tournaments.web.pages.page_rate_limit.counted_visits",
    "tournaments.web.pages.guests.OnlyPlaying",
    "tournaments.web.pages.suspended.OnlyReading",
    "tournaments.web.pages.public_cache.organisers_changes_seen",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "tournaments.web.pages.form_recovery.nothing_typed_is_lost",
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
ROOT_URLCONF = "tournaments.urls"
WSGI_APPLICATION = "tournaments.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.app_directories.Loader",
                        (
                            "django.template.loaders.filesystem.Loader",
                            sorted(ROOT.glob("tournaments/features/*/templates")),
                        ),
                    ],
                )
            ],
            "builtins": [
                "django.templatetags.i18n",
                "tournaments.templatetags.sentences",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

AUTH_USER_MODEL = "tournaments.User"
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "sign-in", "home", "home"
AUTHENTICATION_BACKENDS = ["tournaments.accounts.second_factor.Passwords"]
# The first hashes. It is as slow as PBKDF2 for us, and its 16 MB slow down guessing on graphics cards.
PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("Scrypt", "PBKDF2")]
PASSWORD_LENGTH = 10
AUTH_PASSWORD_VALIDATORS: list[dict[str, object]] = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": PASSWORD_LENGTH},
    },
]
# Second factors. Of allauth, its table and what it checks; pages, sessions and limits stay ours.
MFA_ADAPTER = "tournaments.core.accounts.factor_adapter.Adapter"
MFA_TOTP_TOLERANCE = 1  # steps of 30 seconds by which a clock may be off in either direction
# Single sign-on. Of allauth, what speaks with providers; accounts and sessions stay ours.
SIGN_ON = providers(os.environ.get("SIGN_ON") or "")
SOCIALACCOUNT_ADAPTER = "tournaments.features.sign_on.library_requests.Adapter"
if SIGN_ON:
    INSTALLED_APPS += ["allauth.socialaccount"]
    MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ, TIME_ZONE, LANGUAGE_CODE = True, "UTC", "en-gb"
USE_I18N = True
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]  # of pages; `server.languages` names them too
FORMAT_MODULE_PATH = "tournaments.locale"

STATIC_URL = "static/"
STATICFILES_DIRS = [("boardroom", ROOT / "bots" / "viewer" / "static")]  # what the kit's viewer is made of too
STATICFILES_FINDERS = [
    *(f"django.contrib.staticfiles.finders.{name}Finder" for name in ("FileSystem", "AppDirectories")),
    "tournaments.core.config.game_files.GameFiles",
]
STATIC_ROOT = os.environ.get("STATIC_ROOT") or None  # only for those who collect the files to serve them otherwise
WHITENOISE_USE_FINDERS = True  # the files are few and ours: no collectstatic step before the first page

# Without EMAIL_URL the site sends nothing, and a person who has lost a password asks an organiser.
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, EMAIL_USE_TLS, EMAIL_USE_SSL = mail_server(
    os.environ.get("EMAIL_URL") or "smtp://localhost"
)
CAN_MAIL = bool(os.environ.get("EMAIL_URL"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("EMAIL_FROM") or "boardroom@localhost"
EMAIL_TIMEOUT = 10  # seconds
# For sites inside of a network of their own: webhooks may lead to addresses that are not public, and without TLS.
WEBHOOKS_INSIDE = switch(os.environ, "WEBHOOKS_INSIDE")
PASSWORD_RESET_TIMEOUT = 3600  # seconds

USUAL_UPLOAD_MB, UPLOAD_BYTES = 5, 20 << 20  # where no ladder says how much; the most that any may say
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 << 20  # of a form without its files: a roster; `server.body_lengths` has less for most
DATA_UPLOAD_MAX_NUMBER_FILES = 8
FILE_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_BYTES + (64 << 10)  # a bundle is never written into a file here
KEPT_PARTS = 300  # in memory, each of at most `pages.kept_parts.LARGEST`
CACHES = {
    "default": {
        "BACKEND": "tournaments.core.config.redis_cache.Cache",
        "LOCATION": REDIS_URL,
        # A Redis that hangs must not hold up the pages, which can do without.
        "OPTIONS": {
            "socket_timeout": 0.5,
            "socket_connect_timeout": 0.5,
            "serializer": "tournaments.core.config.redis_cache.PlainData",
        },
    },
    "parts": {  # of pages (`pages.kept_parts`): not in the Redis, whose other users could write into pages
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "parts",
        "OPTIONS": {"MAX_ENTRIES": KEPT_PARTS},
    },
}

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {  # everything is ours; nothing is written in place
    "default-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^api/v1/bundles/"]  # match workers come from within, where there is no proxy
SECURE_HSTS_SECONDS = 365 * 86_400 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = switch(os.environ, "HSTS_SUBDOMAINS", default=True)

# With the prefix no other host of the domain, and nobody on the wire, can plant a cookie of ours.
PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{PREFIX}sessionid", f"{PREFIX}csrftoken"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "tournaments.core.accounts.sessions"
SESSION_COOKIE_AGE = 14 * 86_400  # from signing in, however busy one is meanwhile
CSRF_TRUSTED_ORIGINS = [SITE_URL]
CSRF_FAILURE_VIEW = "tournaments.web.pages.form_recovery.form_too_old"
# Organisers without a second factor are led to set one up before the admin opens.
STAFF_NEED_SECOND_FACTOR = switch(os.environ, "STAFF_NEED_SECOND_FACTOR", default=HTTPS)

LOGGING = logs.configuration(os.environ)
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")  # empty: metrics are for this very machine alone

REST_FRAMEWORK = api.REST_FRAMEWORK
SPECTACULAR_SETTINGS = api.SPECTACULAR_SETTINGS

# Who opens spaces: the site's organisers, or anybody who has signed in.
SITE_TIME_ZONE = time_zone(os.environ, "SITE_TIME_ZONE")  # of deadlines, where a space or a ladder has none of its own
SPACES = chosen_word(os.environ, "SPACES", ("organisers", "anybody"))
# That they have opened and that are not closed; an organiser of the site as many as they like.
SPACES_A_PERSON = whole_number(os.environ, "SPACES_A_PERSON", 3, 10**6)
MEMBERS_A_SPACE = whole_number(os.environ, "MEMBERS_A_SPACE", 1000, 10**6)
LADDERS_A_SPACE = whole_number(os.environ, "LADDERS_A_SPACE", 20, 10**6)
SPACE_MAXIMA = maxima()  # of what its ladders ask of workers
ACCOUNTS_A_DAY = whole_number(os.environ, "ACCOUNTS_A_DAY", 1000, 10**6)  # for a space, by its rosters and codes

# What one owner may ask of the site.
BOTS_AN_OWNER = whole_number(os.environ, "BOTS_AN_OWNER", 50, 10**6)
UPLOADS_A_DAY = whole_number(os.environ, "UPLOADS_A_DAY", 100, 10**6)
FRIENDLIES_A_DAY = whole_number(os.environ, "FRIENDLIES_A_DAY", 50, 10**6)
FRIENDLIES_OPEN = whole_number(os.environ, "FRIENDLIES_OPEN", 10, 10**6)
PRACTICES_OPEN = whole_number(os.environ, "PRACTICES_OPEN", 6, 10**6)
PRACTICES_A_DAY = whole_number(os.environ, "PRACTICES_A_DAY", 200, 10**6)
PRACTICE_SECONDS_A_DAY = whole_number(os.environ, "PRACTICE_SECONDS_A_DAY", 3600, 10**6)  # of workers' time

# The ledger's clockwork, in seconds.
LEASE_QUEUED = 120  # a set sent and not yet begun
LEASE_PLAYING = 30  # renewed by a heartbeat every 10 s
ATTEMPTS_BEFORE_QUARANTINE = 5

# Pages made in a minute for one person, or for one address of people unknown; what the front has kept is not counted.
PAGE_REQUESTS = whole_number(os.environ, "PAGE_REQUESTS", 600, 10**6)
LIVE_STREAMS = whole_number(os.environ, "LIVE_STREAMS", 60, 10**5)  # open at once for one address: a class shares it
WEB_THREADS = whole_number(os.environ, "WEB_THREADS", 8, 64)  # of a process; each may hold a connection to the database

DUMPS = Path(os.environ.get("DUMPS") or ROOT / ".data" / "dumps")  # what `manage.py dump` writes and /data/ serves

SAMPLES_COMING = switch(os.environ, "SAMPLES_COMING")  # `up` says so: the first page comes before the first ladder

SPOT_CHECKS = share(os.environ, "SPOT_CHECKS", 0.02)  # the share of matches that another worker plays again

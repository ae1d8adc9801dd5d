"""Every setting, read from the environment; `docs/settings.md` explains each variable."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import environ

from pyramid_site import data_folder, logs

env = environ.FileAwareEnv()  # of any variable NAME the value may stand in the file NAME_FILE
ROOT = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env("DATA_DIR", default=str(ROOT / "var"))).resolve()
data_folder.close(DATA_DIR)

# Who may reach it
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="").strip()
SECRET_KEY = SECRET_KEY or data_folder.kept_secret(DATA_DIR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
HOST = env("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
METRICS_PORT = env.int("METRICS_PORT", default=0)  # of the metrics alone; 0: nowhere
TLS = env.bool("TLS", default=False)  # a proxy in front speaks HTTPS and says so
if TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]  # probes come past the proxy
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# How one signs in: players to the API, staff to the admin
PASSWORD_HASHERS = [
    "players.passwords.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "UserAttributeSimilarityValidator": {"user_attributes": ["name", "email", "username"]},
        "MinimumLengthValidator": {"min_length": 8},
        "CommonPasswordValidator": {},
        "NumericPasswordValidator": {},
    }.items()
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AXES_FAILURE_LIMIT = 10  # of one name from one address; then both together wait
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # or each try would add to a row
AXES_LOCKOUT_CALLABLE = "pyramid_site.limits.locked_out"
AXES_CLIENT_IP_CALLABLE = "pyramid_site.admin.address_of"
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # whoever mistakes the field has typed a password for a name
AXES_DISABLE_ACCESS_LOG = True
BLOCKED_NAMES = env.list("BLOCKED_NAMES", default=[])

# Mail, to confirm addresses and for new passwords
EMAIL_URL = env("EMAIL_URL", default="")  # empty: none is sent
EMAIL_FROM = env("EMAIL_FROM", default="Pyramid Daily <pyramid-daily@localhost>")
if EMAIL_URL:
    globals().update(env.email_url("EMAIL_URL"))
DEFAULT_FROM_EMAIL = EMAIL_FROM
EMAIL_TIMEOUT = 10  # s

# What it is made of
INSTALLED_APPS = [
    "pyramid_site",  # first, since its templates take the place of the admin's
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "axes",
    "players",
    "games",
    "leaderboards",
    "web",
]
MIDDLEWARE = [
    "pyramid_site.logs.log_requests",
    "pyramid_site.metrics.count_requests",
    "pyramid_site.content_security.content_security",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "pyramid_site.limits.Limits",
    "pyramid_site.heads.limit_bodies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "pyramid_site.urls"
WSGI_APPLICATION = "pyramid_site.wsgi.application"
APPEND_SLASH = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024  # bytes, of every body
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
STATIC_URL = "/static/"
STATIC_ROOT = Path(env("STATIC_ROOT", default=str(DATA_DIR / "static"))).resolve()
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "pyramid_site.static.Storage"},
}
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o755  # of STATIC_ROOT, where there are no uploads

# Where it keeps things
IN_DATA_DIR: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": str(DATA_DIR / "pyramid.sqlite3"),
}
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL") if env("DATABASE_URL", default="") else IN_DATA_DIR
}
if password := env("DATABASE_PASSWORD", default="").strip():  # a file ends with a new line
    DATABASES["default"]["PASSWORD"] = password
ON_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
WEB_CONCURRENCY = env.int("WEB_CONCURRENCY", default=1 if ON_SQLITE else 2)  # web processes
if ON_SQLITE:
    sqlite = DATABASES["default"]["NAME"]
    data_folder.close(*(Path(f"{sqlite}{part}") for part in ("", "-wal", "-shm", "-journal")))
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",  # SQLite has no row locks: each writer waits at its start
        "timeout": 20,  # s
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
elif pool_size := env.int("DATABASE_POOL", default=10):
    DATABASES["default"]["OPTIONS"] = {
        # One connection a thread is kept; without a pool each request would open its own.
        "pool": {"min_size": 1, "max_size": pool_size, "timeout": 3},
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env("REDIS_URL", default="")  # empty: no worker, and caches within each process
IN_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
SHARED = {
    "BACKEND": "pyramid_site.counting.CountingRedisCache",
    "LOCATION": REDIS_URL,
    "KEY_PREFIX": "cache",
    "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},  # s
}
CACHES = {
    "default": SHARED if REDIS_URL else {"BACKEND": IN_MEMORY},
    "process": {"BACKEND": IN_MEMORY, "LOCATION": "process"},  # what may be some seconds old
}

# Days, and who works through them
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
DEALS_AHEAD_DAYS = env.int("DEALS_AHEAD_DAYS", default=7)
OUTAGE_SHARE = env.float("OUTAGE_SHARE", default=0.25)  # of a day; down for more, it is bridged
TOKEN_DAYS = env.int("TOKEN_DAYS", default=365)
RANKED_ACCOUNT_AGE_DAYS = env("RANKED_ACCOUNT_AGE_DAYS", default="")  # empty: everybody is ranked

CELERY_BROKER_URL = (  # with Celery's own words for a socket and for a database behind one
    REDIS_URL.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")
    or "memory://"
)
CELERY_TASK_DEFAULT_QUEUE = "celery"
CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True  # a task whose worker dies is done again: each is safe to repeat
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A request that sets a task off waits no longer than this for a broker that is gone.
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    "visibility_timeout": 3600,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # which keeps no file that a crash could damage
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 60.0, "options": {"expires": 55}},
    "rebuild-boards": {
        "task": "leaderboards.tasks.rebuild_boards",
        "schedule": 60.0,
        "options": {"expires": 55},
    },
    "make-deals": {
        "task": "games.tasks.make_deals",
        "schedule": 600.0,
        "options": {"expires": 590},
    },
}

# How often one may ask
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
THROTTLE_ADDRESS = env("THROTTLE_ADDRESS", default="1200/min")
THROTTLE_NETWORK = env("THROTTLE_NETWORK", default="6000/min")
THROTTLE_SIGNUP = env("THROTTLE_SIGNUP", default="120/min")
THROTTLE_PLAYER = env("THROTTLE_PLAYER", default="1200/min")
THROTTLE_LOGIN = env("THROTTLE_LOGIN", default="120/min")
THROTTLE_GUESS = env("THROTTLE_GUESS", default="10/min")
THROTTLE_MAIL = env("THROTTLE_MAIL", default="100/hour")
THROTTLE_PICTURE = env("THROTTLE_PICTURE", default="120/min")

# How it speaks
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["players.api.authentication.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": ["pyramid_site.api.throttles.Throttle"],
    "DEFAULT_PARSER_CLASSES": ["pyramid_site.api.parsing.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "pyramid_site.api.schema.EndpointSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "pyramid_site.api.problems.handle",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pyramid Daily",
    "DESCRIPTION": "A daily Pyramid Solitaire challenge: one deal a day, the same for everyone.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_AUTHENTICATION": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = ["authorization", "content-type", "if-none-match"]
CORS_EXPOSE_HEADERS = ["ETag", "Retry-After", "Idempotent-Replayed", "Link", "X-Request-Id"]
X_FRAME_OPTIONS = "DENY"
DEFAULT_EXCEPTION_REPORTER_FILTER = "pyramid_site.reports.NoVariables"

LOG_FORMAT = env("LOG_FORMAT", default="plain")
LOGGING = logs.configuration(level=env("LOG_LEVEL", default="INFO"), json=LOG_FORMAT == "json")

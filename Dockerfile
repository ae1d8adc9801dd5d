# One image for web server, worker and scheduler: docker-compose.yml gives each its command.
ARG PYTHON_IMAGE=python:3.11-slim
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /app

COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock

COPY . ./
RUN python -m compileall -q games leaderboards players pyramid_site web \
    && SECRET_KEY=unused STATIC_ROOT=/app/static python manage.py collectstatic --no-input --skip-checks --verbosity 0 \
    && useradd --system --uid 10001 pyramid \
    && install --directory --owner=pyramid /data

USER pyramid
ENV HOST=0.0.0.0 DATA_DIR=/data STATIC_ROOT=/app/static NUMBA_CACHE_DIR=/data/kernels LOG_FORMAT=json WEB_CONCURRENCY=2
EXPOSE 8000
CMD ["gunicorn", "pyramid_site.wsgi"]

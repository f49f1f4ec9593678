# A server in a container: docs/guide/containers.md.
# Tags of images are not digests: whoever needs the same bytes each time adds @sha256:… to both FROM lines.

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
COPY requirements requirements
RUN python -m venv tools \
    && tools/bin/pip install --require-hashes --requirement requirements/play.lock
RUN python -m venv --without-pip /opt/pleasance \
    && tools/bin/pip --python /opt/pleasance/bin/python install --require-hashes --requirement requirements/run.lock
COPY . .
# The app for browsers is built on the way; requirements/node.lock pins the Node for it.
RUN tools/bin/python -m hatchling build --target wheel --directory wheel \
    && tools/bin/pip --python /opt/pleasance/bin/python install --no-deps wheel/*.whl

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Pleasance" \
    org.opencontainers.image.source="https://github.com/pleasance-games/pleasance" \
    org.opencontainers.image.licenses="MIT"
RUN useradd --system --user-group --uid 10001 --home-dir /data --shell /usr/sbin/nologin pleasance \
    && install --directory --owner pleasance --group pleasance --mode 0700 /data
COPY --from=build /opt/pleasance /opt/pleasance
ENV PATH=/opt/pleasance/bin:$PATH \
    PLEASANCE_HOME=/data \
    PLEASANCE_HOST=0.0.0.0 \
    PLEASANCE_PORT=8040
USER 10001:10001
VOLUME /data
EXPOSE 8040
# The port is read from the environment, so that the check follows the setting; proxies of the environment are not asked.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import http.client, os, sys; connection = http.client.HTTPConnection('127.0.0.1', int(os.environ['PLEASANCE_PORT']), timeout=4); connection.request('GET', '/health/ready'); sys.exit(connection.getresponse().status != 200)"]
ENTRYPOINT ["pleasance"]
CMD ["serve", "--no-browser"]

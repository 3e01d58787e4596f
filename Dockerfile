# Roomful in a container: docker build -t roomful . && docker run -p 8080:8080 -v roomful:/data roomful
# Node 24 has SQLite inside, so nothing is compiled here. The settings are those of .env.example.

FROM node:24-bookworm-slim AS build
WORKDIR /roomful
COPY package.json package-lock.json ./
COPY client/package.json client/
# No install script is needed: the only one compiles a driver for older versions of Node.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /roomful
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN npm ci --ignore-scripts --omit=dev

FROM node:24-bookworm-slim
WORKDIR /roomful
ENV NODE_ENV=production DATA_DIR=/data
# `node` is the image's own user, without rights. A new volume at /data belongs to it.
RUN mkdir /data && chown node:node /data
# pg_dump, pg_restore and psql, for backups of PostgreSQL 15.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
COPY --from=packages /roomful/node_modules node_modules
COPY --from=build /roomful/package.json ./
COPY --from=build /roomful/bin bin
COPY --from=build /roomful/dist/build-info.json dist/
COPY --from=build /roomful/dist/protocol dist/protocol
COPY --from=build /roomful/dist/server dist/server
COPY --from=build /roomful/frontend/dist frontend/dist
USER node
VOLUME /data
EXPOSE 8080
# /healthz, and not /ready: a container that waits for its database must not be restarted for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# An orderly stop takes at most 10 s: `docker stop --time 15`.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/server/main.js"]

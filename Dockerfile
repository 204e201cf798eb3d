# Cordscan: one image for all its processes; the command says which: index, api, edge, or start for all in one.
# The first stage installs dependencies; the second compiles the program, so that the first start is fast.

FROM node:20-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# scripts stay on: native packages bring their binaries in packages of their own, two find theirs by a script
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY . .
RUN node bin/cordscan.mjs --help && mkdir /data && chown node:node /data
USER node
VOLUME /data
# API and explorer, JSON-RPC edge, metrics of the pipeline
EXPOSE 3000 3001 3002
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=12s --start-period=60s --retries=4 CMD ["node", "scripts/healthcheck.mjs"]
ENTRYPOINT ["node", "bin/cordscan.mjs"]
CMD ["api"]

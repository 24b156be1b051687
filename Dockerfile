# Thunder as a container. Only instructions that every engine knows: `npm run prove:image` follows them in a plain Debian.
FROM node:24-bookworm-slim AS build
WORKDIR /opt/thunder
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`: it refuses lock files of packages with binaries for other platforms.
RUN npm install --no-audit --no-fund --loglevel=error
COPY . .
RUN node scripts/ready.mjs
RUN npm prune --omit=dev --no-audit --no-fund --loglevel=error

FROM node:24-bookworm-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/thunder
COPY --from=build /opt/thunder /opt/thunder
# /backups is for a mount: in the container itself a backup would go with it.
RUN mkdir /data /backups && chown node:node /data /backups && ln -s /opt/thunder/deploy/thunder /usr/local/bin/thunder
ENV NODE_ENV=production
ENV DATA_DIR=/data
ENV PORT=3000
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/healthy.mjs"]
# Node is the first process: it hears SIGTERM itself and ends what it was doing.
CMD ["node", "build/server/index.js"]

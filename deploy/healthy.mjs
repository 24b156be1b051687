// Whether the Thunder in this container is ready, by its exit code.
const address = `http://127.0.0.1:${process.env.PORT}/healthz`
const answer = await fetch(address, { signal: AbortSignal.timeout(4000) }).catch(() => null)
process.exit(answer?.ok ? 0 : 1)

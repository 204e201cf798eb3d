// Health check of a container. Exit code 0 if the URL returns 200 within 10 seconds, otherwise 1.
const url = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`;
const reply = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
process.exit(reply?.status === 200 ? 0 : 1);

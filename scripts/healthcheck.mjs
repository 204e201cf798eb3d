// Dependency-free health check of a container: exit code 0 where the URL answers 200 within 10 seconds, else 1.
// /healthz says that a process serves; for the API that includes that its database answers.
const url = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`;
const reply = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
process.exit(reply?.status === 200 ? 0 : 1);

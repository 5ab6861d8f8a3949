const intervalMs = 60_000

/** Runs `work` and keeps the process alive meanwhile: the clock's timers and connections to a store do not. */
export async function keepAliveDuring<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => {}, intervalMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

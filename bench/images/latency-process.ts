// Answers a line with a URL by `{p50, p99}` in milliseconds of two thousand requests to it.
import { percentile } from '../harness.ts'

const requests = 2000
const pauseMs = 1

for await (const url of console) {
  const times: number[] = []
  for (let turn = 0; turn < requests; turn += 1) {
    const startedAt = performance.now()
    await (await fetch(url)).bytes()
    times.push(performance.now() - startedAt)
    await Bun.sleep(pauseMs)
  }
  console.log(JSON.stringify({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) }))
}

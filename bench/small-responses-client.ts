// Answers a line `{asked, requests}` by `[{p50, p99}, …]`, in milliseconds, of so many requests to each, in turn.
import { percentile } from './harness.ts'

const pauseMs = 1

interface Asked {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `GET` where it is left out. */
  readonly method?: string
  readonly body?: string
}

async function time({ url, status, ...init }: Asked): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(url, init)
  await response.bytes()
  if (response.status !== status) throw new Error(`${url}: ${response.status}`)
  return performance.now() - startedAt
}

for await (const line of console) {
  const { asked, requests } = JSON.parse(line) as {
    readonly asked: readonly Asked[]
    readonly requests: number
  }
  const times: number[][] = asked.map(() => [])
  for (let turn = 0; turn < requests; turn += 1)
    for (const [index, each] of asked.entries()) {
      times[index]?.push(await time(each))
      await Bun.sleep(pauseMs)
    }
  const latencies = times.map((all) => ({ p50: percentile(all, 0.5), p99: percentile(all, 0.99) }))
  console.log(JSON.stringify(latencies))
}

// Answers a line `{asked, perSecond, seconds}` by how often each of them was answered with which status, having
// sent them in turn at that rate, whether answers had come or not. `%d` in a URL is another number each time.

interface Asked {
  readonly name: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Order {
  readonly asked: readonly Asked[]
  readonly perSecond: number
  readonly seconds: number
}

let number = 0

async function send({ name, url, ...init }: Asked, counts: Map<string, number>): Promise<void> {
  number += 1
  const response = await fetch(url.replace('%d', String(number)), init)
  await response.bytes()
  const key = `${name}: ${response.status}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

for await (const line of console) {
  const { asked, perSecond, seconds } = JSON.parse(line) as Order
  const counts = new Map<string, number>()
  const sent: Promise<void>[] = []
  const startedAt = performance.now()
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const waitMs = startedAt + (turn * 1000) / perSecond - performance.now()
    if (waitMs > 0) await Bun.sleep(waitMs)
    const each = asked[turn % asked.length]
    if (each !== undefined) sent.push(send(each, counts))
  }
  await Promise.all(sent)
  console.log(JSON.stringify(Object.fromEntries(counts)))
}

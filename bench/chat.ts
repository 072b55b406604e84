// The assistant on questions that were written before it: facts of the documentation, counts, lists,
// finds, images in other sizes, follow-ups, and what is beside the point. Asked of the real service
// with the model that comes in its package.
import sharp from 'sharp'

import { openInProcess } from '../test/support/in-process-service.ts'
import { files, publicFiles, suspendedZone } from './chat/catalogue.ts'
import { counts, findings, transforms } from './chat/conversations.ts'
import { beside, type Fact, facts, meanings, unseenFacts } from './chat/questions.ts'
import { percentile, report } from './harness.ts'

interface Answer {
  readonly text: string
  readonly sources: readonly { readonly title: string; readonly url: string }[]
  readonly confidence: string
  readonly degraded: boolean
}

await using service = await openInProcess({
  environment: { SEARCH_BY_NAME_ONLY: process.argv.includes('--by-name') ? 'true' : 'false' },
})
const firstByteTimes: number[] = []
const misses: string[] = []

/** Images are real ones, so that every URL that is answered works. */
async function contentOf({ path, content }: (typeof files)[number]): Promise<BodyInit> {
  const format = /\.(jpg|png|webp)$/u.exec(path)?.[1]
  if (format === undefined) return content
  const image = sharp({ create: { width: 32, height: 16, channels: 3, background: '#204060' } })
  const bytes = await image.toFormat(format === 'jpg' ? 'jpeg' : (format as 'png')).toBuffer()
  // Decoders ignore what comes after the image.
  return new Blob([new Uint8Array(bytes), content])
}

for (const zone of new Set(files.map(({ path }) => path.split('/')[0] ?? '')))
  await service.createZone(zone)
const sizes = new Map<string, number>()
for (const file of files) {
  const body = new Blob([(await contentOf(file)) as BlobPart])
  sizes.set(file.path, body.size)
  await service.storage('PUT', file.path, { body })
}
await service.core('PATCH', `zones/${suspendedZone}`, { Suspended: true })

type Turns = readonly string[]
type History = { role: 'user' | 'assistant'; content: string }[]

let addresses = 0
/** What one URL may ask in a minute is not what is measured. */
function nextAddress(): string {
  addresses += 1
  return `203.0.${(addresses >> 8) % 256}.${addresses % 256}`
}

async function ask(message: string, history: History): Promise<Answer> {
  const start = performance.now()
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ message, history }),
  }
  const response = await service.fetch('/api/chat', init, nextAddress())
  if (!response.ok || !response.body) throw new Error(`${response.status}: ${message}`)
  const decoder = new TextDecoder()
  let body = ''
  for await (const chunk of response.body) {
    if (body === '') firstByteTimes.push(performance.now() - start)
    body += decoder.decode(chunk, { stream: true })
  }
  const events = body.split('\n\n').flatMap((frame) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/u.exec(frame) ?? []
    return name === undefined ? [] : [{ name, data: JSON.parse(data ?? '') as Partial<Answer> }]
  })
  const metadata = events.find(({ name }) => name === 'metadata')?.data
  const text = events.map(({ name, data }) => (name === 'token' ? data.text : '')).join('')
  return { ...metadata, text } as Answer
}

async function answerTo(turns: Turns): Promise<Answer> {
  const history: History = []
  let answer: Answer | undefined
  for (const message of turns) {
    answer = await ask(message, history)
    history.push({ role: 'user', content: message }, { role: 'assistant', content: answer.text })
    checkCitations(message, answer)
  }
  if (!answer) throw new Error('there must be a question')
  return answer
}

let citations = 0
let brokenCitations = 0
const citedUrls = new Set<string>()
const publicPaths = new Set(publicFiles.map(({ path }) => path))

/** Every number stands for a source, and every path of a file is that of a public one. */
function checkCitations(message: string, { text, sources }: Answer): void {
  for (const { url } of sources) citedUrls.add(url)
  for (const [, number] of text.matchAll(/\[(\d+)\]/gu)) {
    citations += 1
    if (sources[Number(number) - 1] === undefined) {
      brokenCitations += 1
      misses.push(`no such source: ${message} → ${text}`)
    }
  }
  for (const [path] of text.matchAll(/(?:trailhead|harbor|closed)\/v1\/[\w./-]*\w/gu)) {
    citations += 1
    if (publicPaths.has(path)) continue
    brokenCitations += 1
    misses.push(`no such file: ${message} → ${text}`)
  }
}

const settled = async (): Promise<void> => {
  for (let round = 0; round < 120; round += 1) {
    if (!(await ask('How do I make a backup?', [])).degraded) return
    await Bun.sleep(1_500)
  }
}

interface Judged {
  readonly turns: Turns
  readonly isRight: (answer: Answer) => boolean
}

async function rightOf(questions: readonly Judged[]): Promise<string> {
  let right = 0
  for (const { turns, isRight } of questions) {
    const answer = await answerTo(turns)
    if (isRight(answer)) right += 1
    else misses.push(`${turns.join(' / ')} → ${answer.text} (${answer.confidence})`)
  }
  return `${((right * 100) / questions.length).toFixed(0)} % of ${questions.length}`
}

const factual = (asked: readonly Fact[]): Judged[] =>
  asked.map(({ ask: question, says }) => ({
    turns: [question],
    isRight: ({ text, sources }) =>
      sources.length > 0 && /\[\d\]/u.test(text) && says.every((each) => each.test(text)),
  }))

/** Who asks for a meaning reads the first line. */
const explained = (asked: readonly Fact[]): Judged[] =>
  asked.map(({ ask: question, says }) => ({
    turns: [question],
    isRight: ({ text }) => says.every((each) => each.test(text.split('\n')[0] ?? '')),
  }))

/** Sizes are those of what is really stored. */
const bySize = (paths: readonly string[]) =>
  paths.toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))

if (!process.argv.includes('--by-name')) await settled()
firstByteTimes.length = 0
const rows = [
  {
    what: 'facts right with a citation',
    figure: '≥ 95 %',
    measured: await rightOf(factual(facts)),
  },
  {
    what: 'what a word means, said in the first line',
    figure: '–',
    measured: await rightOf(explained(meanings)),
  },
  {
    what: 'counts exact',
    figure: '100 %',
    measured: await rightOf(
      counts.map(({ turns, number, bytesOf }) => ({
        turns,
        isRight: ({ text }) => {
          const wanted =
            bytesOf === undefined
              ? number
              : [...sizes]
                  .filter(([path]) => publicPaths.has(path) && bytesOf.test(path))
                  .reduce((sum, [, size]) => sum + size, 0)
          const said = text.startsWith('There are no') ? 0 : Number(/\d+/u.exec(text)?.[0])
          return bytesOf === undefined ? said === wanted : text.includes(`${wanted} bytes`)
        },
      })),
    ),
  },
  {
    what: 'lists and finds right',
    figure: '–',
    measured: await rightOf(
      findings.map(({ turns, paths, bySize: place, isComplete }) => ({
        turns,
        isRight: ({ sources }) => {
          const named = sources.map(({ title }) => title)
          const wanted = place ? place(bySize([...publicPaths])) : paths
          return isComplete === true
            ? named.toSorted().join() === wanted.toSorted().join()
            : named[0] === wanted[0]
        },
      })),
    ),
  },
  {
    what: 'pictures in other sizes right',
    figure: '–',
    measured: await rightOf(
      transforms.map(({ turns, says }) => ({
        turns,
        isRight: ({ text }) => says.every((each) => each.test(text)),
      })),
    ),
  },
  {
    what: 'beside the point: no source, low confidence',
    figure: '–',
    measured: await rightOf(
      beside.map((question) => ({
        turns: [question],
        isRight: ({ sources, confidence }) => sources.length === 0 && confidence === 'low',
      })),
    ),
  },
]
if (process.argv.includes('--unseen'))
  rows.splice(1, 0, {
    what: 'facts never looked at while it was worked on',
    figure: '≥ 95 %',
    measured: await rightOf(factual(unseenFacts)),
  })

for (const url of citedUrls) {
  citations += 1
  const { pathname, search } = new URL(url)
  const response = await service.fetch(pathname + search)
  await response.body?.cancel()
  if (response.status === 200) continue
  brokenCitations += 1
  misses.push(`${response.status} of a cited address: ${url}`)
}
rows.push(
  {
    what: `cited numbers, paths and addresses that exist (${citations})`,
    figure: '100 %',
    measured: `${(((citations - brokenCitations) * 100) / citations).toFixed(1)} %`,
  },
  {
    what: `first byte p50 / p95 (${firstByteTimes.length} answers, no endpoint)`,
    figure: 'p95 ≤ 150 ms',
    measured: `${percentile(firstByteTimes, 0.5).toFixed(0)} / ${percentile(firstByteTimes, 0.95).toFixed(0)} ms`,
  },
)
if (process.argv.includes('--misses')) console.log(misses.join('\n---\n'))
await report('chat', rows)

// A process that works on one image at a time and may be killed at any moment. Started by
// `RenderChild`; never part of the process that answers requests.
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import sharp from 'sharp'

import { layersAround } from '../../../lib/box/child-box.ts'
import { yieldToOthers } from '../../../lib/yield-to-others.ts'
import type { RenderJob, ResultByKind } from '../../../ports/media/renderer.ts'
import { analyse } from '../analyse.ts'
import type { ChildMessage, JobMessage } from './child-messages.ts'
import { toSend } from './large-bytes.ts'
import { carriedFacts } from '../embedded/carried/read-carried.ts'
import { details } from '../details.ts'
import { readEmbedded } from '../embedded/read-embedded.ts'
import { inspect } from '../inspect.ts'
import { join } from '../join.ts'
import { legible } from '../legible.ts'
import { tidyAboveBytes, tidyGrowthBytes } from '../limits.ts'
import { readBytes } from '../open-source.ts'
import { sanitiseSvg } from '../svg/sanitise-svg.ts'
import { summarise } from '../analysis/summarise.ts'
import { svgText } from '../svg/svg-text.ts'
import { transform } from '../transform.ts'
import { trim } from '../trim.ts'
import { unrenderable } from '../unrenderable.ts'

type Workers = {
  readonly [Kind in keyof ResultByKind]: (
    job: Extract<RenderJob, { readonly kind: Kind }>,
  ) => Promise<ResultByKind[Kind]>
}

const workers: Workers = {
  inspect,
  transform,
  summarise,
  analyse,
  trim,
  sanitise: async ({ path }) => sanitiseSvg(await readBytes(path)),
  read: async ({ path }) => svgText(await readBytes(path)),
  legible,
  embedded: readEmbedded,
  details,
  carried: async ({ path, format }) => carriedFacts(path, format),
  join,
}

const niceness = 10

/** What the last sweep has left. */
let sweptBytes = 0

setUp()
process.on('message', ({ job }: JobMessage) => void answer(job))
// Whoever asked is gone; a library that is still busy must not keep this process alive.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
send({ kind: 'ready', layers: layersAround() })

function setUp(): void {
  sharp.cache(false)
  sharp.concurrency(1)
  yieldToOthers(niceness)
  preferAsVictim()
}

/** Where memory runs out, the kernel should end this process before any other. Linux only. */
function preferAsVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems choose by themselves.
  }
}

/**
 * Pixels lie outside of the heap and do not make it be swept: a child would grow from one image to the next
 * until it is ended for what it holds of former ones. A sweep takes several milliseconds, and what it has left
 * the next one would leave as well.
 */
function tidiedRssBytes(): number {
  if (rssBytes() > Math.max(tidyAboveBytes, sweptBytes + tidyGrowthBytes)) {
    Bun.gc(true)
    sweptBytes = rssBytes()
  }
  return rssBytes()
}

async function answer(job: RenderJob): Promise<void> {
  const before = process.cpuUsage()
  const fault = openingFault('source' in job ? job.source.path : job.path)
  if (fault !== undefined) return send({ kind: 'unreadable', cause: fault, rssBytes: rssBytes() })
  try {
    const sent = toSend(await work(job), tmpdir())
    const { user, system } = process.cpuUsage(before)
    send({ kind: 'done', sent, cpuMs: (user + system) / 1000, rssBytes: tidiedRssBytes() })
  } catch (error) {
    send({ kind: 'unrenderable', ...unrenderable(error), rssBytes: rssBytes() })
  }
}

/** Libraries have one word for a file that is not there and for one that is no image. */
function openingFault(path: string): string | undefined {
  try {
    closeSync(openSync(path, 'r'))
    return undefined
  } catch (error) {
    return String(error)
  }
}

const work = (job: RenderJob): Promise<unknown> =>
  (workers[job.kind] as (job: RenderJob) => Promise<unknown>)(job)

const rssBytes = () => process.memoryUsage.rss()

function send(message: ChildMessage): void {
  process.send?.(message)
}

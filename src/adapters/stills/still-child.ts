// The process that makes one still and ends. Started by `BoxedStillMaker`; it may be killed at any
// moment, and it opens no connection and no file but the one it is given.
import { statSync, writeFileSync } from 'node:fs'

import { yieldToOthers } from '../../lib/yield-to-others.ts'
import { UnrenderableImageError } from '../../ports/media/renderer.ts'
import type { StillKind } from '../../ports/media/still-maker.ts'
import type { MakeStill, StillMessage, StillRequest } from './still-messages.ts'

/** Each is loaded where it is needed alone: libraries that decode are large. */
const makers: Readonly<Partial<Record<StillKind, () => Promise<MakeStill>>>> = {
  pdf: async () => (await import('./pdf/pdf-still.ts')).makePdfStill,
  heic: async () => (await import('./heic/heic-still.ts')).makeHeicStill,
  jxl: async () => (await import('./jxl/jxl-still.ts')).makeJxlStill,
  psd: async () => (await import('./psd/psd-still.ts')).makePsdStill,
  tiff: async () => (await import('./tiff/tiff-still.ts')).makeTiffStill,
  font: async () => (await import('./font/font-specimen.ts')).makeFontSpecimen,
  thumbnail: async () => (await import('./thumbnail/stored-thumbnail.ts')).makeStoredThumbnail,
  audio: async () => (await import('./audio/audio-cover.ts')).makeAudioCover,
}

const niceness = 10

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
yieldToOthers(niceness)
preferAsVictim()
await respond(JSON.parse(process.argv[2] ?? '') as StillRequest)

async function respond({ of, at, path, ...places }: StillRequest): Promise<void> {
  const sizeBytes = sizeOf(path)
  if (typeof sizeBytes === 'string') return send({ kind: 'unreadable', cause: sizeBytes })
  try {
    const make = await makers[of]?.()
    if (make === undefined) throw new Error(`nobody makes stills of ${of}`)
    const outcome = await make({ path, sizeBytes, ...places }, at)
    const { user, system } = process.cpuUsage()
    send({ kind: 'made', outcome, cpuMs: (user + system) / 1000 })
  } catch (error) {
    send({ kind: 'unrenderable', ...faultOf(error) })
  }
}

function sizeOf(path: string): number | string {
  try {
    return statSync(path).size
  } catch (error) {
    return String(error)
  }
}

function faultOf(error: unknown): Omit<StillMessage & { kind: 'unrenderable' }, 'kind'> {
  const cause = error instanceof Error ? error.message : ''
  return error instanceof UnrenderableImageError
    ? { reason: error.reason, message: error.message, cause }
    : { reason: 'damaged', message: 'must be whole and undamaged', cause }
}

/** Where memory runs out, the kernel should end this process before any other. Linux only. */
function preferAsVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems choose by themselves.
  }
}

function send(message: StillMessage): void {
  process.send?.(message, undefined, undefined, () => process.disconnect?.())
}

import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { account, access } from './service-process.ts'

export interface LargeVideo {
  readonly file: string
  readonly sizeBytes: number
  readonly seconds: number
}

const clipSeconds = 8

/**
 * A video of at least so many bytes, with its tables behind its frames as cameras write them: a clip with
 * much noise in it, encoded once and then repeated without being encoded again.
 */
export async function makeLargeVideo(directory: string, minBytes: number): Promise<LargeVideo> {
  const clip = join(directory, 'clip.mp4')
  await ffmpeg(
    ...`-f lavfi -i testsrc2=size=1280x720:rate=25:duration=${clipSeconds}`.split(' '),
    ...`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${clipSeconds}`.split(' '),
    ...'-vf noise=alls=60:allf=t -c:v libx264 -preset ultrafast -b:v 20M -minrate 20M'.split(' '),
    ...'-pix_fmt yuv420p -g 50 -c:a aac -b:a 128k'.split(' '),
    clip,
  )
  const { size } = await stat(clip)
  const times = Math.ceil((minBytes * 1.02) / size)
  const file = join(directory, 'large.mp4')
  await ffmpeg('-stream_loop', String(times - 1), '-i', clip, '-c', 'copy', file)
  const sizeBytes = (await stat(file)).size
  return { file, sizeBytes, seconds: times * clipSeconds }
}

async function ffmpeg(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(['ffmpeg', '-v', 'error', '-y', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if ((await child.exited) !== 0) throw new Error('ffmpeg could not make the video')
}

/** Stores a file of any size in one request of the draft for resumable uploads. */
export async function uploadLarge(serviceUrl: string, path: string, file: string): Promise<void> {
  const response = await fetch(`${serviceUrl}/api/uploads?path=${encodeURIComponent(path)}`, {
    method: 'POST',
    headers: { ...access, 'Upload-Draft-Interop-Version': '8', 'Upload-Complete': '?1' },
    body: Bun.file(file),
    timeout: false,
  } as RequestInit)
  const text = await response.text()
  if (response.status !== 201) throw new Error(`the upload answered ${response.status}: ${text}`)
}

export async function createZone(serviceUrl: string, name: string): Promise<void> {
  const body = JSON.stringify({ Name: name })
  const response = await fetch(`${serviceUrl}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body,
  })
  if (!response.ok) throw new Error(`no zone: ${await response.text()}`)
}

/**
 * Plays a video by HLS as players do and seeks to what is behind its middle. Answers its playlist and a
 * hash of the segment there, so that two sites can be compared.
 */
export async function playAndSeek(base: string, path: string, seconds: number) {
  const master = await linesAt(`${base}/api/stream?path=${path}`)
  const playlist = master.find((line) => !line.startsWith('#')) ?? ''
  const media = await linesAt(new URL(playlist, `${base}/api/stream`).href)
  const durations = media.flatMap((line) => /^#EXTINF:([\d.]+)/u.exec(line)?.[1] ?? [])
  const total = durations.reduce((sum, each) => sum + Number(each), 0)
  if (Math.abs(total - seconds) >= 2)
    throw new Error(`the playlist has ${total} of ${seconds} seconds`)
  const segments = media.filter((line) => !line.startsWith('#'))
  const sought = segments[Math.floor(segments.length * 0.7)] ?? ''
  const segment = await fetch(new URL(sought, `${base}/api/stream`))
  const bytes = await segment.bytes()
  if (segment.status !== 200 || bytes.length <= 1_000_000)
    throw new Error(`the segment answered ${segment.status} with ${bytes.length} bytes`)
  return { media, segment: Bun.hash(bytes) }
}

async function linesAt(url: string): Promise<readonly string[]> {
  const response = await fetch(url)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text.split('\n').filter((line) => line !== '')
}

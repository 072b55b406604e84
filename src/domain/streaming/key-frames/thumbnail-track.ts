import type { Thumbnails } from './thumbnails.ts'

/**
 * A WebVTT file that says which part of an image is shown when (W3C WebVTT §4; the part as media
 * fragments say it, W3C Media Fragments §4.2.2). `url` is the image's.
 */
export function thumbnailTrack({ spans, tile, columns }: Thumbnails, url: string): string {
  const cues = spans.map(({ from, to, index }) => {
    const left = (index % columns) * tile.width
    const top = Math.floor(index / columns) * tile.height
    const place = [left, top, tile.width, tile.height].join(',')
    return `${timestamp(from)} --> ${timestamp(to)}\n${url}#xywh=${place}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

const millisecondsPerHour = 3_600_000

function timestamp(seconds: number): string {
  const total = Math.round(seconds * 1000)
  const hours = String(Math.floor(total / millisecondsPerHour)).padStart(2, '0')
  return `${hours}${new Date(total % millisecondsPerHour).toISOString().slice(13, 23)}`
}

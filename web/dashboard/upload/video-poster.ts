import { transformPath } from '../assets/asset.ts'

/** Beside `film.mp4` the service looks for it under this name. */
export const posterPathOf = (path: string): string => path.replace(/\.[^./]*$/u, '.poster.jpg')

const videoName = /\.(?:mp4|m4v|mov|webm|mkv)$/u
const maxSide = 1920
const quality = 0.85
/** Where to look, as shares of the video: the first that is not black is taken. */
const shares = [0.1, 0.3, 0.5, 0] as const
const patienceMs = 20_000
const darkest = 16

/**
 * A frame of a video that was just stored, made by this browser, where the service has nothing that decodes
 * it; `undefined` where it has, or where this browser cannot either.
 */
export async function posterFor({
  path,
  file,
  preview,
}: {
  readonly path: string
  readonly file: Blob
  readonly preview?: string | undefined
}): Promise<Blob | undefined> {
  if (!videoName.test(path) || !(await isMissing(path, preview))) return undefined
  return await frameOf(file).catch(() => undefined)
}

/** Whether the service says that it cannot make an image of the video before something is installed. */
async function isMissing(path: string, preview: string | undefined): Promise<boolean> {
  const named = preview === undefined ? path : `@~${preview}/${path}`
  try {
    const response = await fetch(transformPath(named, { w: 16, format: 'png' }))
    return response.status === 422 && (await response.text()).includes('StillUnavailable')
  } catch {
    return false
  }
}

async function frameOf(file: Blob): Promise<Blob | undefined> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  try {
    video.muted = true
    video.preload = 'auto'
    const known = happened(video, 'loadedmetadata')
    video.src = url
    await known
    for (const share of shares) {
      const canvas = await drawn(video, share)
      if (!isDark(canvas) || share === shares.at(-1)) return await encoded(canvas)
    }
    return undefined
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

async function drawn(video: HTMLVideoElement, share: number): Promise<HTMLCanvasElement> {
  const sought = happened(video, 'seeked')
  video.currentTime = Number.isFinite(video.duration) ? video.duration * share : 0
  await sought
  const scale = Math.min(1, maxSide / Math.max(video.videoWidth, video.videoHeight, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas
}

const encoded = (canvas: HTMLCanvasElement): Promise<Blob | undefined> =>
  new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', quality)
  })

/** By a copy of a few pixels. */
function isDark(canvas: HTMLCanvasElement): boolean {
  const [width, height] = [16, 9]
  const small = document.createElement('canvas')
  Object.assign(small, { width, height })
  const context = small.getContext('2d')
  context?.drawImage(canvas, 0, 0, width, height)
  const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] }
  return data.every((value, place) => place % 4 === 3 || value < darkest)
}

/** Rejects where the browser cannot read the video, or takes too long. */
const happened = (video: HTMLVideoElement, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It took too long')), patienceMs)
    const settle = (done: () => void) => () => {
      clearTimeout(timer)
      done()
    }
    video.addEventListener(event, settle(resolve), { once: true })
    video.addEventListener(
      'error',
      settle(() => reject(new Error('It cannot be read'))),
      {
        once: true,
      },
    )
  })

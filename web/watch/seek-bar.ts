import { type Cue, readCues } from './cues.ts'

interface Parts {
  readonly video: HTMLVideoElement
  /** Holds the others; hidden until there is something to seek in. */
  readonly frame: HTMLElement
  readonly bar: HTMLInputElement
  readonly thumbnail: HTMLElement
}

/** The bar goes in thousandths of the video. */
const steps = 1000

/**
 * A bar that seeks, and shows what is where while somebody points at it or moves it by keys. What it
 * shows is asked for then, and not before; where there is none to be had the bar goes.
 */
export function attachSeekBar({ video, frame, bar, thumbnail }: Parts, trackUrl: string): void {
  let cues: Promise<readonly Cue[]> | undefined

  const secondsAt = (value: number): number => (value / steps) * (video.duration || 0)

  async function show(seconds: number, share: number): Promise<void> {
    cues ??= fetchCues(trackUrl)
    const found = await cues
    if (found.length === 0) frame.hidden = true
    const cue = found.find(({ from, to }) => seconds >= from && seconds < to) ?? found.at(-1)
    if (cue === undefined) return
    thumbnail.hidden = false
    Object.assign(thumbnail.style, {
      width: `${cue.width}px`,
      height: `${cue.height}px`,
      backgroundImage: `url(${JSON.stringify(cue.url)})`,
      backgroundPosition: `-${cue.left}px -${cue.top}px`,
      left: `${Math.max(0, share * bar.clientWidth - cue.width / 2)}px`,
    })
    thumbnail.dataset['seconds'] = String(Math.round(seconds))
  }

  function say(seconds: number): void {
    bar.setAttribute('aria-valuetext', `${clock(seconds)} of ${clock(video.duration || 0)}`)
  }

  video.addEventListener('loadedmetadata', () => {
    frame.hidden = video.videoWidth === 0 || !Number.isFinite(video.duration)
  })
  video.addEventListener('timeupdate', () => {
    if (document.activeElement !== bar || !bar.matches(':active'))
      bar.value = String(Math.round((video.currentTime / (video.duration || 1)) * steps))
    say(video.currentTime)
  })
  bar.addEventListener('input', () => {
    video.currentTime = secondsAt(bar.valueAsNumber)
    void show(video.currentTime, bar.valueAsNumber / steps)
  })
  bar.addEventListener('pointermove', ({ offsetX }) => {
    const share = Math.min(1, Math.max(0, offsetX / Math.max(1, bar.clientWidth)))
    void show(secondsAt(share * steps), share)
  })
  for (const leaving of ['pointerleave', 'blur'])
    bar.addEventListener(leaving, () => {
      thumbnail.hidden = true
    })
}

async function fetchCues(url: string): Promise<readonly Cue[]> {
  try {
    const response = await fetch(url)
    return response.ok ? readCues(await response.text()) : []
  } catch {
    return []
  }
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

import HlsPlayer from './hls/hls.min.mjs'
import { attachSeekBar } from './seek-bar.ts'

const element = (id: string): HTMLElement => document.querySelector(`#${id}`) as HTMLElement

const video = element('film') as HTMLVideoElement
const quality = element('quality') as HTMLSelectElement
const sound = element('sound') as HTMLSelectElement
const parameters = new URLSearchParams(location.search)
const path = parameters.get('path') ?? parameters.get('video')

if (path === null) say('Name a video in the URL: /watch?path=…')
else play(path)

function play(asset: string): void {
  const name = asset.slice(asset.lastIndexOf('/') + 1)
  element('title').textContent = name
  document.title = `${name} – Watch`
  const bar = element('position') as HTMLInputElement
  const [frame, thumbnail] = [element('seek'), element('thumbnail')]
  attachSeekBar({ video, frame, bar, thumbnail }, urlOf('/api/stream/thumbnails', asset))
  if (HlsPlayer.isSupported()) playWithHls(urlOf('/api/stream', asset))
  else if (video.canPlayType('application/vnd.apple.mpegurl') === '')
    say('This browser cannot play HLS.')
  else playItself(urlOf('/api/stream', asset))
}

/** The browser does not say what was answered, so it is asked again. */
function playItself(url: string): void {
  video.src = url
  video.addEventListener('error', () => void tellWhy(url))
}

async function tellWhy(url: string): Promise<void> {
  const status = await fetch(url).then(
    (response) => response.status,
    () => 0,
  )
  fail(status)
}

const reasons: Readonly<Record<number, string>> = {
  0: 'The service cannot be reached. Load the page again in a moment.',
  400: 'The URL does not name a video.',
  401: 'This video is shown at a signed URL only.',
  403: 'This video is not open to you: its URL is not signed, or the signature is no longer good.',
  404: 'This video is not there.',
  422: 'This video cannot be streamed.',
  429: 'Too much was asked for. Load the page again in a minute.',
  503: 'The video is not ready. Load the page again in a moment.',
}

/** Says why, in place of a player that has nothing to play. */
function fail(status: number): void {
  video.hidden = true
  element('seek').hidden = true
  say(reasons[status] ?? 'The video cannot be played.')
}

/** A signature in this page's URL is the video's. */
function urlOf(endpoint: string, asset: string): string {
  const query = new URLSearchParams({ path: asset })
  for (const key of ['expires', 'sig']) {
    const value = parameters.get(key)
    if (value !== null) query.set(key, value)
  }
  return `${endpoint}?${query}`
}

function playWithHls(url: string): void {
  // A worker would have to come from a blob, which the page's policy forbids; fragments need none.
  const hls = new HlsPlayer({ enableWorker: false, capLevelToPlayerSize: true })
  video.addEventListener('error', () => say('The video cannot be played.'))
  let hasBegun = false
  hls.on(HlsPlayer.Events.ERROR, (_event, { fatal, response }) => {
    if (!fatal) return
    if (hasBegun) say('The video stopped. Load the page again to go on.')
    else fail(response?.code ?? 0)
  })
  hls.on(HlsPlayer.Events.FRAG_BUFFERED, () => {
    hasBegun = true
  })
  hls.on(HlsPlayer.Events.MANIFEST_PARSED, () => offer(hls))
  hls.on(HlsPlayer.Events.AUDIO_TRACKS_UPDATED, () => offer(hls))
  quality.addEventListener('change', () => {
    hls.currentLevel = quality.selectedIndex - 1
  })
  sound.addEventListener('change', () => {
    hls.audioTrack = sound.selectedIndex
  })
  hls.loadSource(url)
  hls.attachMedia(video)
}

/** Choices are shown only where there is one. Subtitles are in the video's own controls. */
function offer(hls: HlsPlayer): void {
  const sizes = hls.levels.map(({ height, width }) => `${Math.min(height, width)}p`)
  const sounds = hls.audioTracks.map(({ name }) => name)
  fill(quality, sizes.length > 1 ? ['Automatic', ...sizes] : [])
  fill(sound, sounds.length > 1 ? sounds : [])
  element('choices').hidden = sizes.length < 2 && sounds.length < 2
}

function fill(select: HTMLSelectElement, labels: readonly string[]): void {
  select.replaceChildren(...labels.map((label) => new Option(label)))
  for (const part of [select, ...select.labels]) part.hidden = labels.length === 0
}

function say(text: string): void {
  element('status').textContent = text
}

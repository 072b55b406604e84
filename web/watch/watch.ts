import HlsPlayer from './hls/hls.min.mjs'

const element = (id: string): HTMLElement => document.querySelector(`#${id}`) as HTMLElement

const film = element('film') as HTMLVideoElement
const quality = element('quality') as HTMLSelectElement
const sound = element('sound') as HTMLSelectElement
const parameters = new URLSearchParams(location.search)
const path = parameters.get('path') ?? parameters.get('video')

if (path === null) say('Name a film in the address: /watch?path=…')
else play(path)

function play(asset: string): void {
  const name = asset.slice(asset.lastIndexOf('/') + 1)
  element('title').textContent = name
  document.title = `${name} – Watch`
  if (HlsPlayer.isSupported()) playWithHls(addressOf(asset))
  else if (film.canPlayType('application/vnd.apple.mpegurl') === '')
    say('This browser cannot play HLS.')
  else playItself(addressOf(asset))
}

/** The browser does not say what was answered, so it is asked again. */
function playItself(address: string): void {
  film.src = address
  film.addEventListener('error', () => void tellWhy(address))
}

async function tellWhy(address: string): Promise<void> {
  const status = await fetch(address).then(
    (answer) => answer.status,
    () => 0,
  )
  fail(status)
}

const reasons: Readonly<Record<number, string>> = {
  0: 'The service cannot be reached. Load the page again in a moment.',
  400: 'The address does not name a film.',
  401: 'This film is shown at a signed address only.',
  403: 'This film is not open to you: its address is not signed, or the signature is no longer good.',
  404: 'This film is not there.',
  422: 'This film cannot be streamed.',
  429: 'Too much was asked for. Load the page again in a minute.',
  503: 'The film is not ready. Load the page again in a moment.',
}

/** Says why, in place of a player that has nothing to play. */
function fail(status: number): void {
  film.hidden = true
  say(reasons[status] ?? 'The film cannot be played.')
}

/** A signature in this page's address is the film's. */
function addressOf(asset: string): string {
  const query = new URLSearchParams({ path: asset })
  for (const key of ['expires', 'sig']) {
    const value = parameters.get(key)
    if (value !== null) query.set(key, value)
  }
  return `/api/stream?${query}`
}

function playWithHls(address: string): void {
  // A worker would have to come from a blob, which the page's policy forbids; fragments need none.
  const hls = new HlsPlayer({ enableWorker: false, capLevelToPlayerSize: true })
  film.addEventListener('error', () => say('The film cannot be played.'))
  let hasBegun = false
  hls.on(HlsPlayer.Events.ERROR, (_event, { fatal, response }) => {
    if (!fatal) return
    if (hasBegun) say('The film stopped. Load the page again to go on.')
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
  hls.loadSource(address)
  hls.attachMedia(film)
}

/** Choices are shown only where there is one. Subtitles are in the film's own controls. */
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

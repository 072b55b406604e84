/** What the page uses of hls.js; the whole is in the package's own `dist/hls.d.mts`. */
interface ErrorData {
  readonly fatal: boolean
  readonly details: string
  readonly response?: { readonly code: number }
}

type HlsEvent = (typeof Hls.Events)[keyof typeof Hls.Events]

export default class Hls {
  static readonly Events: {
    readonly ERROR: 'hlsError'
    readonly MANIFEST_PARSED: 'hlsManifestParsed'
    readonly AUDIO_TRACKS_UPDATED: 'hlsAudioTracksUpdated'
    readonly FRAG_BUFFERED: 'hlsFragBuffered'
  }
  static isSupported(): boolean
  constructor(config: { readonly enableWorker: boolean; readonly capLevelToPlayerSize: boolean })
  readonly levels: readonly { readonly height: number; readonly width: number }[]
  readonly audioTracks: readonly { readonly name: string }[]
  currentLevel: number
  audioTrack: number
  on(event: 'hlsError', listener: (event: string, data: ErrorData) => void): void
  on(event: Exclude<HlsEvent, 'hlsError'>, listener: () => void): void
  loadSource(url: string): void
  attachMedia(media: HTMLMediaElement): void
}

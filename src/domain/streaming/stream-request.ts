import type { Deliverable } from '../content/delivered/expiry.ts'
import { versionedPath } from '../content/past/version-names.ts'

/** A signature that has been checked. What a playlist names is then good under the same one. */
export interface Grant {
  /** As it was sent, and so as it was signed. */
  readonly path: string
  /** Unix seconds. */
  readonly expires: string
  readonly signature: string
}

export interface StreamRequest {
  /** A parsed asset path. */
  readonly path: string
  readonly grant: Grant | undefined
  /** Where it is asked for in another version than what is published. */
  readonly pin?: Pin
}

export interface Pin {
  /** The commit or the preview, as it is named in paths. */
  readonly version: string
  /** What it has. */
  readonly assets: Deliverable
}

export interface PlaylistRequest extends StreamRequest {
  /** Absent for the master playlist. */
  readonly quality: string | undefined
}

export interface SegmentRequest extends StreamRequest {
  readonly quality: string
  readonly segment: number | 'init'
  /** The version that the playlist gave to the segment's URL. */
  readonly version: string | undefined
}

/** How the URLs in a playlist name the video, and what they all carry on. */
export const urlOf = ({ path, grant, pin }: StreamRequest) => ({
  path: grant?.path ?? versionedPath(pin?.version, path),
  suffix: grant === undefined ? '' : `&expires=${grant.expires}&sig=${grant.signature}`,
})

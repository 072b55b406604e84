/** What a file carries of metadata, as it lies in it. */
export interface Packets {
  readonly xmp?: Uint8Array | undefined
  /** IPTC-IIM: datasets, one after another. */
  readonly iptc?: Uint8Array | undefined
  /** Of the datasets, as whoever wrote both kinds last saw them: others were changed alone since. */
  readonly iptcDigest?: Uint8Array | undefined
}

/** A packet is a few kilobytes; what is longer than this is no description any more. */
export const maxPacketBytes = 2 ** 20
/** Parts of a file that are passed over before somebody gives up. */
export const maxParts = 20_000

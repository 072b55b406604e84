import type { CDPSession } from 'playwright-core'

/** 400 ms there and back, 1 Mbit/s either way, to Chromium's own measure. */
const slowLine = {
  offline: false,
  latency: 400,
  downloadThroughput: 125_000,
  uploadThroughput: 125_000,
}
const ownLine = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

export const slowLineText = '400 ms, 1 Mbit/s'

/** What a page asks for from now on takes as long as on a slow line, or no longer than it does. */
export async function setSlow(session: CDPSession, isSlow: boolean): Promise<void> {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', isSlow ? slowLine : ownLine)
}

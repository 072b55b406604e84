import { createHmac } from 'node:crypto'

import { quarters, painted } from '../fixtures/sample-images.ts'
import type { Random } from './random.ts'
import { access, account, type ServiceProcess, testKeys } from './service-process.ts'
import type { SeenResponse } from './traffic-ledger.ts'

export const zones = ['aka', 'akande'] as const

const deadlineMs = 20_000
const countryHeaders = ['DE', 'fr', 'NL', 'US', 'JP', 'Germany', undefined] as const

interface StoredAsset {
  readonly zone: string
  readonly path: string
  readonly sizeBytes: number
  readonly etag: string
}

/** Zones with small, compressible and large files and an image in each. */
export async function storeAssets({ url }: ServiceProcess): Promise<readonly StoredAsset[]> {
  const image = await painted({ width: 60, height: 40 }, quarters({ width: 60, height: 40 }))
    .png()
    .toBuffer()
  const files: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
    'icons/small.bin': new Uint8Array(300).fill(7),
    'icons/text.svg': new TextEncoder().encode(
      `<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(2_000)}</svg>`,
    ),
    'banners/large.bin': new Uint8Array(200_000).fill(9),
    'logos/picture.png': new Uint8Array(image),
  }
  const stored: StoredAsset[] = []
  for (const zone of zones) {
    const body = JSON.stringify({ Name: zone })
    await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body })
    for (const [name, bytes] of Object.entries(files)) {
      const path = `${zone}/v1/${name}`
      const address = `${url}/api/storage/${path}`
      const response = await fetch(address, { method: 'PUT', headers: access, body: bytes })
      if (response.status !== 201) throw new Error(`${path} was answered ${response.status}`)
      const etag = response.headers.get('etag') ?? ''
      stored.push({ zone, path, sizeBytes: bytes.length, etag })
    }
  }
  return stored
}

interface Planned {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What it will be counted under. */
  readonly about: Pick<SeenResponse, 'zone' | 'path' | 'isAsset'>
}

type Plan = (asset: StoredAsset, random: Random) => Planned

/** Every kind of response the service delivers; those named twice come twice as often. */
const plans: readonly [Plan, ...Plan[]] = [
  (asset) => ({ path: `/${asset.path}`, about: { ...asset, isAsset: true } }),
  (asset) => ({ path: `/${asset.path}`, about: { ...asset, isAsset: true } }),
  (asset) => ({
    path: `/${asset.path}`,
    headers: { 'Accept-Encoding': 'gzip, br' },
    about: { ...asset, isAsset: true },
  }),
  (asset) => ({ path: `/${asset.path}`, method: 'HEAD', about: { ...asset, isAsset: true } }),
  (asset) => ({
    path: `/${asset.path}`,
    headers: { 'If-None-Match': asset.etag },
    about: { ...asset, isAsset: true },
  }),
  (asset, random) => ({
    path: `/${asset.path}`,
    headers: { Range: `bytes=${random.integer(0, 9)}-${random.integer(20, 99)}` },
    about: { ...asset, isAsset: true },
  }),
  (asset) => ({
    path: `/${asset.path}`,
    headers: { Range: 'bytes=0-9,20-29' },
    about: { ...asset, isAsset: true },
  }),
  (asset) => ({
    path: `/${asset.path}`,
    headers: { Range: `bytes=${asset.sizeBytes}-` },
    about: { ...asset, isAsset: true },
  }),
  (asset) => ({
    path: `/${asset.path}`,
    headers: { 'If-Match': '"another"' },
    about: { ...asset, isAsset: true },
  }),
  (asset) => ({ path: `/${asset.path}`, method: 'POST', about: { ...asset, isAsset: true } }),
  ({ zone }, random) => {
    const path = `${zone}/v1/icons/missing-${random.integer(1, 30)}.svg`
    return { path: `/${path}`, about: { zone, path, isAsset: false } }
  },
  (_, random) => {
    const path = `nowhere/${random.integer(1, 9)}`
    return { path: `/${path}`, about: { zone: '', path, isAsset: false } }
  },
  ({ zone, path }) => ({ path: `/clients/${path}`, about: { zone, path, isAsset: false } }),
  (asset) => ({ path: signedUrl(asset.path), about: { ...asset, isAsset: true } }),
  ({ zone, path }) => ({
    path: `/api/signed?path=${path}&expires=1&sig=00`,
    about: { zone, path, isAsset: false },
  }),
  ({ zone }, random) => {
    const path = `${zone}/v1/logos/picture.png`
    const url = `/api/transform?url=/${path}&w=${random.integer(10, 13)}&format=png`
    return { path: url, about: { zone, path, isAsset: true } }
  },
  ({ zone }) => {
    const path = `${zone}/v1/logos/picture.png`
    return { path: `/api/auto?path=${zone}/v1/logos/picture`, about: { zone, path, isAsset: true } }
  },
  ({ zone }) => {
    const path = `${zone}/v1/logos/none`
    return { path: `/api/stream?path=${path}`, about: { zone, path, isAsset: false } }
  },
]

function signedUrl(path: string): string {
  const expires = Math.floor(Date.now() / 1000) + 3_600
  const signature = createHmac('sha256', testKeys.SIGNED_URL_SECRET)
    .update(`${path}:${expires}`)
    .digest('hex')
  return `/api/signed?path=${path}&expires=${expires}&sig=${signature}`
}

export interface Client {
  readonly url: string
  readonly assets: readonly [StoredAsset, ...StoredAsset[]]
  readonly random: Random
}

/** Sends one request of any kind, as a client behind a trusted proxy, and says what came back. */
export async function visit({ url, assets, random }: Client): Promise<SeenResponse> {
  const plan = random.pick(plans)(random.pick(assets), random)
  const country = random.pick(countryHeaders)
  const response = await fetch(`${url}${plan.path}`, {
    method: plan.method ?? 'GET',
    headers: {
      'Accept-Encoding': 'identity',
      ...plan.headers,
      ...(country === undefined ? {} : { 'CF-IPCountry': country }),
    },
    redirect: 'manual',
    // What the client would make of a coded body is not what was sent.
    decompress: false,
    signal: AbortSignal.timeout(deadlineMs),
  })
  const body = await response.arrayBuffer()
  return {
    zone: plan.about.zone,
    path: plan.about.path,
    isAsset: plan.about.isAsset,
    status: response.status,
    isHit: /;\s*hit\b/u.test(response.headers.get('cache-status') ?? ''),
    country: /^[A-Z]{2}$/u.test(country?.toUpperCase() ?? '')
      ? (country ?? '').toUpperCase()
      : 'XX',
    bytes: body.byteLength,
  }
}

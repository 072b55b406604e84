import type { AssetEntry, CallOptions, Client, WebhookDelivery } from './types.ts'

const assetsAPage = 200
const deliveriesAPage = 100

/** By path, so that what is stored meanwhile moves as little as possible between pages. */
export async function* eachAsset(
  client: Pick<Client, 'listAssets'>,
  query: Parameters<Client['eachAsset']>[0],
  options: CallOptions | undefined,
): AsyncGenerator<AssetEntry> {
  for (let page = 1; ; page += 1) {
    const asked = { per_page: assetsAPage, sort: 'path', ...query, page } as const
    const { Data: assets, TotalPages: pages } = await client.listAssets(asked, options)
    yield* assets
    if (page >= pages) return
  }
}

export async function* eachWebhookDelivery(
  client: Pick<Client, 'listWebhookDeliveries'>,
  id: string,
  options: CallOptions | undefined,
): AsyncGenerator<WebhookDelivery> {
  let before: number | undefined
  for (;;) {
    const query = { id, limit: deliveriesAPage, ...(before !== undefined && { before }) }
    const { Deliveries: page } = await client.listWebhookDeliveries(query, options)
    yield* page
    before = page.at(-1)?.number
    if (page.length < deliveriesAPage || before === undefined) return
  }
}

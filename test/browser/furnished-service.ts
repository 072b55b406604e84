import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { scene } from '../fixtures/scenes.ts'
import { freePort } from '../support/free-port.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import { type World, worldOf } from '../support/world.ts'

/** A service that has been in use for a week: something is there for every page to show. */
export interface FurnishedService extends AsyncDisposable {
  readonly service: LocalService
  readonly world: World
  /** A commit of `acme` after which much was changed. */
  readonly formerCommit: string
  /** A link that invites somebody who has not come yet. */
  readonly invitationUrl: string
  /** A webhook that nothing arrives at. */
  readonly failingWebhook: string
}

const dayMs = 86_400_000

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
]

export const photo = 'acme/v1/campaigns/autumn/lake.jpg'
export const video = 'acme/v1/videos/opening.mp4'
export const note = 'acme/v1/texts/imprint.txt'

export async function openFurnishedService(): Promise<FurnishedService> {
  await using undo = new AsyncDisposableStack()
  const directory = undo.use(await temporaryDirectory())
  const receiver = undo.use(openWebhookReceiver())
  const failing = undo.use(openWebhookReceiver())
  failing.respond = () => new Response('no such tenant', { status: 500 })
  const port = await freePort()
  const service = undo.use(
    await openLocalService({
      dataDirectory: `${directory.path}/data`,
      port,
      environment: {
        BASE_URL: `http://localhost:${port}`,
        SEARCH_BY_NAME_ONLY: 'true',
        BACKUP_TO: `${directory.path}/backups`,
        BACKUP_EVERY_HOURS: '0',
        TRUSTED_PROXIES: '127.0.0.1',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        CNAME_TARGET: 'edge.cdn.example',
        DNS_SERVERS: '127.0.0.1:9',
      },
    }),
  )
  const world = worldOf(service)
  service.wait(-6 * dayMs)
  await storeFiles(world)
  const failingWebhook = await addWebhooks(world, receiver.url, failing.url)
  const formerCommit = await tellOfAWeek(service, world)
  await changeMuch(world)
  const invitationUrl = await letPeopleIn(world)
  await order(service, world)
  await world.client.createBackup()
  await until(async () => (await world.client.listBackups()).Backups.length === 1)
  await Promise.all([receiver.until(5), failing.until(2)])
  const held = undo.move()
  return {
    service,
    world,
    formerCommit,
    invitationUrl,
    failingWebhook,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

const landscape = { width: 480, height: 320 }
const portrait = { width: 240, height: 360 }

/** Scenes by the name of the file that shows them. */
const photos: Readonly<Record<string, typeof landscape>> = {
  'acme/v1/campaigns/autumn/lake.jpg': landscape,
  'acme/v1/campaigns/autumn/hills-before-the-first-snow-of-the-year.jpg': landscape,
  'acme/v1/campaigns/autumn/harvest.jpg': portrait,
  'acme/v1/campaigns/spring/meadow.jpg': landscape,
  'acme/v1/campaigns/spring/rain.jpg': portrait,
  'acme/v1/portraits/ada.jpg': portrait,
  'acme/v1/portraits/grace.jpg': portrait,
  'acme/v1/portraits/hedy.jpg': portrait,
  'harbour/v1/ships/ferry.jpg': landscape,
  'harbour/v1/ships/tug.jpg': landscape,
}

const icon = (hue: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9" fill="hsl(${hue} 60% 45%)"/></svg>`

async function storeFiles(world: World): Promise<void> {
  for (const name of ['acme', 'harbour', 'a-zone-with-a-rather-long-name']) await world.zone(name)
  for (const [index, [path, shape]] of Object.entries(photos).entries())
    await world.put(
      path,
      new Uint8Array(
        await scene(index + 1, shape)
          .jpeg()
          .toBuffer(),
      ),
    )
  // The same bytes twice, and almost the same.
  const twin = await scene(1, landscape).jpeg().toBuffer()
  await world.put('acme/v1/archive/lake-copy.jpg', new Uint8Array(twin))
  const smaller = await scene(1, landscape).resize(240).jpeg({ quality: 70 }).toBuffer()
  await world.put('acme/v1/archive/lake-small.jpg', new Uint8Array(smaller))
  await world.put(video, await sampleVideo('regular'))
  for (const [index, name] of ['home', 'search', 'cart', 'map', 'mail', 'star'].entries())
    await world.put(`acme/v1/icons/${name}.svg`, icon(index * 55))
  await world.put(note, 'Acme, Harbour Street 1')
  await world.put('acme/v1/texts/<b>notes & more.txt', 'a name that is markup')
  await world.put('acme/v1/documents/price-list.pdf', '%PDF-1.4')
  await world.client.describeAsset({
    path: photo,
    body: {
      Title: 'The lake in autumn',
      Alt: { en: 'A lake before hills', de: 'Ein See vor Hügeln' },
      Tags: ['autumn', 'campaign', 'water'],
      Copyright: 'Acme',
      FocalPoint: { x: 0.6, y: 0.4 },
    },
  })
}

/** Answers the id of the one that fails. */
async function addWebhooks(world: World, working: string, failing: string): Promise<string> {
  await world.client.createWebhook({ body: { url: working, events: ['*'] } })
  const { Webhook } = await world.client.createWebhook({
    body: { url: failing, events: ['asset.created', 'asset.updated'], zones: ['acme'] },
  })
  return Webhook.id
}

/** Each day somebody comes; answers the commit of `acme` in the middle of it. */
async function tellOfAWeek(service: LocalService, world: World): Promise<string> {
  await world.rules('_redirects', '/acme/v1/old/* /acme/v1/campaigns/:splat 301\n')
  await world.rules('_headers', '/v1/icons/*\n  Cache-Control: public, max-age=604800\n', 'acme')
  await world.rules('_transforms', 'card w=320 h=200 fit=cover\nhero w=1600 q=auto\n', 'acme')
  for (let day = 0; day < 6; day += 1) {
    for (let visits = 0; visits < 4 + ((day * 5) % 7); visits += 1)
      await visitAll(service, agents[visits % agents.length] ?? '', visits)
    // What was counted is of the day on which somebody looks.
    await world.client.getInsightsSummary({ days: 1 })
    service.wait(dayMs)
  }
  await visitAll(service, agents[0] ?? '', 1)
  const { Commits } = await world.client.getZoneHistory({ id: 'acme', limit: 50 })
  return Commits[0]?.Commit ?? ''
}

async function visitAll(service: LocalService, agent: string, turn: number): Promise<void> {
  const headers = {
    'User-Agent': agent,
    'CF-IPCountry': ['DE', 'FR', 'JP', 'US', 'BR'][turn % 5] ?? '',
    'X-Forwarded-For': `203.0.113.${turn + 1}`,
    Referer: turn % 2 === 0 ? 'https://shop.example/basket' : 'https://blog.example/autumn',
  }
  const paths = [
    photo,
    'acme/v1/portraits/ada.jpg',
    'acme/v1/icons/home.svg',
    'acme/v1/icons/never.svg',
    'acme/v1/old/autumn/lake.jpg',
    'harbour/v1/ships/ferry.jpg',
    `api/transform?url=/${photo}&w=${96 + 32 * (turn % 2)}`,
    `api/transform?url=/${photo}&w=99999`,
  ]
  for (const path of paths)
    await (await fetch(`${service.url}/${path}`, { headers, redirect: 'manual' })).arrayBuffer()
}

/** So that versions, a history and previews have something to tell. */
async function changeMuch(world: World): Promise<void> {
  const { client } = world
  await world.put(photo, new Uint8Array(await scene(21, landscape).jpeg().toBuffer()))
  await world.put(note, 'Acme, Harbour Street 2\nopen on weekdays\n')
  await client.moveFiles({
    body: { From: 'acme/v1/icons/star.svg', To: 'acme/v1/icons/favourite.svg', Redirect: true },
  })
  await client.deleteFiles({ body: { Paths: ['acme/v1/portraits/hedy.jpg'] } })
  const preview = { headers: { 'Sedge-Preview': 'winter' } }
  await client.createPreview({ id: 'acme', body: { Name: 'winter' } })
  const image = new Uint8Array(await scene(31, landscape).jpeg().toBuffer())
  await client.putFile({ path: 'acme/v1/campaigns/winter/frost.jpg', body: image }, preview)
  await client.putFile({ path: photo, body: image }, preview)
  await client.putFile({ path: note, body: 'Acme, Frost Street 3\n' }, preview)
  // Another text since: the two are in conflict.
  await world.put(note, 'Acme, Harbour Street 4\nopen every day\n')
  await client.createPreview({ id: 'acme', body: { Name: 'members-only', Signed: true } })
}

/** Answers the link for somebody who has not come yet. */
async function letPeopleIn({ client }: World): Promise<string> {
  const invited = await client.invitePerson({
    body: {
      email: 'ines@example.com',
      name: 'Ines',
      roles: [{ role: 'editor', zones: ['acme', 'harbour'] }],
    },
  })
  await client.invitePerson({ body: { email: 'olga@example.com', roles: [{ role: 'admin' }] } })
  for (const [name, scopes, zones] of [
    ['Upload from CI', ['storage:write', 'assets:read'], ['acme']],
    ['Monitoring', ['insights:read', 'logs:read'], undefined],
    ['Purge after a release of the shop', ['purge:write'], ['acme', 'harbour']],
  ] as const)
    await client.createToken({
      body: { name, scopes: [...scopes], expiresInDays: 90, ...(zones && { zones: [...zones] }) },
    })
  return invited.Invitation?.url ?? ''
}

async function order(service: LocalService, world: World): Promise<void> {
  const { client } = world
  await client.addDomain({ id: 'acme', body: { Hostname: 'assets.acme.example' } })
  await client.addDomain({ id: 'harbour', body: { Hostname: 'img.harbour.example' } })
  await client.purge({ body: { urls: [`/${photo}`] } })
  await client.purge({ body: { tags: ['zone-harbour', 'category-ships'] } })
  const doomed = 'acme/v1/portraits/nobody.jpg'
  await world.put(doomed, new Uint8Array(await scene(41, portrait).jpeg().toBuffer()))
  await client.orderErasure({
    body: { Path: doomed, Reason: 'Asked for by the person shown', Confirm: doomed },
  })
  await client.updateZone({ id: 'a-zone-with-a-rather-long-name', body: { Suspended: true } })
  await (await fetch(`${service.url}/api/core/zones`)).arrayBuffer()
  const refused = await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"Not A Zone"}',
  })
  await refused.arrayBuffer()
}

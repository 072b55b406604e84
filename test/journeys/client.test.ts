import { expect, test } from 'bun:test'
import { join } from 'node:path'
import * as sedge from 'sedge'

import { findChromium, launchChromium } from '../browser/chromium.ts'
import { clientJourney } from '../fixtures/client-journey.ts'
import { startService, temporaryDirectory, testKeys } from '../support/service-process.ts'

const root = join(import.meta.dir, '..', '..')

const whole = {
  zone: 'acme',
  assets: 230,
  upload: 3 * 2 ** 20 + 1,
  isDownloadWhole: true,
  isDownloadStreamed: true,
  entries: ['banners', 'github', 'icons', 'logos', 'private', 'titles'],
  signed: 'verified',
  refusal: [404, 'ZoneNotFound' as const],
  aborted: 'AbortError',
  logged: 'ZoneNotFound',
}

const placeOf = (url: string) => ({
  url,
  accessKey: testKeys.ACCESS_KEY,
  accountKey: testKeys.ACCOUNT_KEY,
  signingSecret: testKeys.SIGNED_URL_SECRET,
  streamsUploads: true,
})

/** The journey as JavaScript that every engine reads. */
const journeySource = async () =>
  new Bun.Transpiler({ loader: 'ts' }).transformSync(
    await Bun.file(join(root, 'test', 'fixtures', 'client-journey.ts')).text(),
  )

test('the client of the package works in Bun', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: directory.path })

  expect(await clientJourney(sedge, placeOf(service.url))).toEqual(whole)
})

test('the client of the package works in Node', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: join(directory.path, 'data') })
  const journey = join(directory.path, 'journey.mjs')
  await Bun.write(journey, await journeySource())
  const program = [
    "import * as sedge from 'sedge'",
    `import { clientJourney } from ${JSON.stringify(journey)}`,
    `const facts = await clientJourney(sedge, ${JSON.stringify(placeOf(service.url))})`,
    'console.log(JSON.stringify(facts))',
  ].join('\n')
  const child = Bun.spawn(['node', '--input-type=module', '--eval', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

  expect(JSON.parse(await new Response(child.stdout).text())).toEqual(whole)
})

const chromium = findChromium('the client in a browser')

test.skipIf(chromium === undefined)('the client of the package works in a browser', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: directory.path })
  const browser = await launchChromium(chromium ?? '')
  try {
    // The page's own policy allows scripts of the service alone.
    const page = await (await browser.newContext({ bypassCSP: true })).newPage()
    await page.goto(`${service.url}/api/health`)
    const facts = await page.evaluate(
      async ([client, journey, place]) => {
        const load = (text: string) =>
          import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })))
        return (await load(journey)).clientJourney(await load(client), JSON.parse(place))
      },
      [
        await Bun.file(join(root, 'client', 'sedge.js')).text(),
        await journeySource(),
        JSON.stringify({ ...placeOf(service.url), streamsUploads: false }),
      ] as const,
    )

    expect(facts).toEqual(whole)
  } finally {
    await browser.close()
  }
})

import { expect } from 'bun:test'

import { type InProcessService, openInProcess } from './in-process-service.ts'
import { access } from './service-process.ts'
import { until } from './until.ts'
import { completion, leafSighting, startVisionServer, visionReplies } from './vision-server.ts'

export const svgOf = (color: string, inside = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100"><rect width="400" height="100" fill="${color}"/>${inside}</svg>`

export const saying = (part: object) => () =>
  completion(JSON.stringify({ ...leafSighting, ...part }))

/** A service with a model that sees, which replies what a test says. It has the zone `acme`. */
export async function openSeeing(environment: Readonly<Record<string, string>> = {}) {
  await using opening = new AsyncDisposableStack()
  let reply: () => Response | Promise<Response> = visionReplies.good
  const server = opening.use(startVisionServer(() => reply()))
  const service = opening.use(
    await openInProcess({
      environment: {
        VISION_BASE_URL: server.baseUrl,
        VISION_MODEL: 'eyes',
        VISION_KEY: 'secret',
        ...environment,
      },
    }),
  )
  await service.createZone('acme')
  const opened = opening.move()
  return {
    service,
    requests: server.requests,
    saying(next: typeof reply): void {
      reply = next
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const put = async (service: InProcessService, path: string, ...sent: [string, object?]) => {
  const [body, headers = {}] = sent
  const { status } = await service.storage('PUT', path, { body, headers: { ...headers } })
  expect(status).toBeLessThan(300)
}

export const ask = async (service: InProcessService, path: string) =>
  await (await service.fetch(path, { headers: access })).json()

export const post = async (service: InProcessService, path: string, body: unknown) => {
  const response = await service.fetch(path, {
    method: 'POST',
    headers: access,
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

export const suggestionsOf = (service: InProcessService, path: string) =>
  ask(service, `/api/assets/suggestions?path=${path}`)

export const untilSeen = (service: InProcessService, path: string) =>
  until(async () => (await suggestionsOf(service, path)).Vision !== 'pending', `${path} unseen`)

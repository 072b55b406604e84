import type { ResponseOf, Input } from '../../client/types.ts'
import { exitCodes, UsageError } from '../support/command.ts'
import { namedAction, wholeNumber } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { table } from '../support/table.ts'

const usage = `sedge webhooks [list]                       show the webhooks
sedge webhooks create <url> --event <event> …   have events sent to an address
sedge webhooks edit <id>                    change its --url, --event or --zone
sedge webhooks delete <id>                  remove one, with what it was still to be told
sedge webhooks on <id>                      switch it on, also after the service switched it off
sedge webhooks off <id>                     switch it off
sedge webhooks rotate <id>                  give it a new secret; the old one signs for a day
sedge webhooks test <id>                    send a test event now
sedge webhooks deliveries <id>              what was sent, and what came back
sedge webhooks redeliver <id> <delivery>    send it again

  --event <event>      e.g. asset.created, or '*' for all (may be given again);
                       one of test and deliveries
  --zone <zone>        only what happens in this zone (may be given again);
                       of edit also '*' for all
  --url <url>          edit: where events are sent from now on
  --failed             deliveries: only those that failed
  --limit <number>     so many deliveries (20)
${commonUsage}

What create and rotate print last is the secret, alone on standard output; it is not
shown again.

${commonExitCodes} test ends with 1 where the receiver did not take the event.`

interface Values {
  readonly event?: string[] | undefined
  readonly zone?: string[] | undefined
  readonly limit?: string | undefined
  readonly url?: string | undefined
  readonly failed?: boolean | undefined
}
type Words = readonly string[]
type Act = (session: Session) => Promise<number | void>
type Plan = (words: Words, values: Values) => Act

export const webhooksCommand = serviceCommand({
  name: 'webhooks',
  aliases: ['webhook'],
  summary: 'register, test and watch webhooks',
  usage,
  options: {
    event: { type: 'string', multiple: true },
    zone: { type: 'string', multiple: true },
    limit: { type: 'string' },
    url: { type: 'string' },
    failed: { type: 'boolean' },
  },
  plan: ({ values, positionals: [action, ...words] }) =>
    namedAction(action, plans, 'list')(words, values as Values),
})

/** An action on one webhook. */
const onOne =
  (act: (id: string, session: Session) => Promise<number | void>): Plan =>
  (words) => {
    const [id] = exactly(1, words, 'Name one webhook by its id')
    return (session) => act(id ?? '', session)
  }

function exactly(count: number, words: Words, why: string): Words {
  if (words.length !== count) throw new UsageError(why)
  return words
}

const update = (body: NonNullable<Input<'updateWebhook'>['body']>, done: string): Plan =>
  onOne(async (id, { client, print }) => {
    const changed = await client.updateWebhook({ id, body })
    print(changed, () => `Webhook ${id} is ${done}\n`)
  })

const plans: Readonly<Record<string, Plan>> = {
  list(words) {
    exactly(0, words, 'sedge webhooks list shows them all')
    return async ({ client, print }) => {
      const { Webhooks: webhooks } = await client.listWebhooks()
      print(webhooks, () =>
        webhooks.length === 0 ? 'There is no webhook yet\n' : tableOf(webhooks),
      )
    }
  },
  create(words, { event: events, zone: zones }) {
    const [url] = exactly(1, words, 'Name the URL that events are sent to')
    if (events === undefined)
      throw new UsageError("Say which events: --event <event>, or --event '*'")
    const body = { url, events, ...(zones && { zones }) } as Input<'createWebhook'>['body']
    return async (session) => showSecret(await session.client.createWebhook({ body }), session)
  },
  edit(words, { url, event: events, zone }) {
    const [id = ''] = exactly(1, words, 'Name one webhook by its id')
    if (url === undefined && events === undefined && zone === undefined)
      throw new UsageError('Say what to change: --url, --event or --zone')
    const zones = zone?.includes('*') === true ? null : zone
    const body = { url, events, zones } as NonNullable<Input<'updateWebhook'>['body']>
    return async ({ client, print }) => {
      const changed = await client.updateWebhook({ id, body })
      print(changed, () => `Webhook ${id} is changed\n`)
    }
  },
  delete: onOne(async (id, { client, print }) => {
    const removed = await client.deleteWebhook({ id })
    print(removed, () => `${removed.Message}\n`)
  }),
  on: update({ active: true }, 'on'),
  off: update({ active: false }, 'off'),
  rotate: onOne(async (id, session) => {
    const body = { rotateSecret: true }
    showSecret(await session.client.updateWebhook({ id, body }), session)
  }),
  test(words, { event: events }) {
    const [id = ''] = exactly(1, words, 'Name one webhook by its id')
    const [event] = events ?? []
    const body = (event === undefined ? {} : { event }) as NonNullable<Input<'testWebhook'>['body']>
    return async ({ client, print }) => {
      const result = await client.testWebhook({ id, body })
      print(result, () => `${result.Message}: ${resultOf(result)}, ${result.durationMs} ms\n`)
      return result.delivered ? exitCodes.ok : exitCodes.failed
    }
  },
  deliveries(words, { limit: text, event: events, failed }) {
    const [id = ''] = exactly(1, words, 'Name one webhook by its id')
    const limit = wholeNumber(text, { name: 'limit', min: 1, max: 100 }) ?? 20
    return async ({ client, print }) => {
      const { Deliveries: deliveries } = await client.listWebhookDeliveries({
        id,
        limit,
        ...(failed === true && { state: 'failed' as const }),
        ...(events?.[0] !== undefined && { event: events[0] }),
      })
      print(deliveries, () => deliveriesOf(deliveries))
    }
  },
  redeliver(words) {
    const [id = '', deliveryId = ''] = exactly(2, words, 'Name the webhook and the delivery')
    return async ({ client, print }) => {
      const accepted = await client.redeliverWebhook({ id, deliveryId })
      print(accepted, () => `${accepted.Message}\n`)
    }
  },
}

/** The secret alone goes to standard output, so that it can be piped to where it belongs. */
function showSecret(
  made: ResponseOf<'createWebhook'> | ResponseOf<'updateWebhook'>,
  session: Session,
): void {
  if (!session.isJson) session.terminal.error.write(`${made.Message}: ${made.id}. Its secret:\n`)
  session.print(made, () => `${made.secret ?? ''}\n`)
}

const tableOf = (webhooks: ResponseOf<'listWebhooks'>['Webhooks']): string =>
  table(
    ['ID', 'STATE', 'FAILED', 'EVENTS', 'ZONES', 'ADDRESS'],
    webhooks.map((each) => [
      each.id,
      each.switchedOff ?? (each.active ? each.state : 'off'),
      `${each.recentFailures} of ${each.recentDeliveries}`,
      each.events.join(', '),
      each.zones?.join(', ') ?? 'all',
      each.url,
    ]),
  )

const deliveriesOf = (deliveries: ResponseOf<'listWebhookDeliveries'>['Deliveries']): string =>
  deliveries.length === 0
    ? 'Nothing was sent yet\n'
    : table(
        ['ID', 'EVENT', 'STATE', 'TRIES', 'RESULT', 'CREATED'],
        deliveries.map((each) => [
          each.id,
          each.event,
          each.state,
          each.attemptCount,
          each.attemptCount === 0 ? '' : resultOf(each),
          each.createdAt,
        ]),
      )

const resultOf = ({ status, error }: { status: number | null; error: string | null }): string =>
  error ?? String(status ?? 'no answer')

import type { Input, ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { namedAction } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable } from '../support/table.ts'

const usage = `sedge people list
sedge people invite <e-mail address> --role <role> [--zone <zone> …] [--name <name>]
sedge people role <e-mail address or id> --role <role> [--zone <zone> …]
sedge people link <e-mail address or id>
sedge people disable|enable|remove <e-mail address or id>

Works on a running service. invite and link print a link to hand on: it lets its first
opener in as that person, once and within seven days. Without --zone a role is for every
zone. role takes the place of what was given before.

  --role <role>        viewer, editor, publisher or admin
  --zone <zone>        narrows the role to this zone (may be given again)
  --name <name>        as the audit log shows the person; the address without it
${commonUsage}

Without a profile the key is taken from ACCOUNT_KEY, or from the data directory of a
service on this machine (DATA_DIR, default ./data).

${commonExitCodes}`

type Person = ResponseOf<'listPeople'>['People'][number]
type GivenRole = Input<'invitePerson'>['body']['roles'][number]

interface Values {
  readonly role?: string | undefined
  readonly zone?: readonly string[] | undefined
  readonly name?: string | undefined
}
type Act = (session: Session) => Promise<void>
type Plan = (rest: readonly string[], values: Values) => Act

export const peopleCommand = serviceCommand({
  name: 'people',
  summary: 'invite people, give them roles, disable and remove them',
  usage,
  options: {
    role: { type: 'string' },
    zone: { type: 'string', multiple: true },
    name: { type: 'string' },
  },
  plan: ({ values, positionals: [action, ...rest] }) =>
    namedAction(action, plans)(rest, values as Values),
})

const plans: Readonly<Record<string, Plan>> = {
  list: () => list,
  invite(rest, values) {
    const email = onlyOne(rest)
    const { name } = values
    const body = { email, roles: [givenRole(values)], ...(name !== undefined && { name }) }
    return async (session) => printLink(await session.client.invitePerson({ body }), session)
  },
  role(rest, values) {
    const who = onlyOne(rest)
    const body = { roles: [givenRole(values)] }
    return async (session) => await update(who, body, session)
  },
  link(rest) {
    const who = onlyOne(rest)
    return async (session) => {
      const { id } = await personNamed(who, session)
      printLink(await session.client.renewInvitation({ id }), session)
    }
  },
  disable: (rest) => disabling(onlyOne(rest), true),
  enable: (rest) => disabling(onlyOne(rest), false),
  remove(rest) {
    const who = onlyOne(rest)
    return async (session) => {
      const { id } = await personNamed(who, session)
      const removed = await session.client.removePerson({ id })
      session.print(removed, () => `${removed.Message}\n`)
    }
  },
}

const disabling =
  (who: string, disabled: boolean): Act =>
  async (session) =>
    await update(who, { disabled }, session)

async function update(
  who: string,
  body: NonNullable<Input<'updatePerson'>['body']>,
  session: Session,
): Promise<void> {
  const { id } = await personNamed(who, session)
  const changed = await session.client.updatePerson({ id, body })
  session.print(changed, () => describe(changed.Person))
}

const list: Act = async ({ client, print }) => {
  const { People: people } = await client.listPeople()
  print(people, () => people.map(describe).join(''))
}

function describe({ id, name, email, state, roles, lastSeenAt }: Person): string {
  const given = roles.map(({ role, zones }) => `${role} of ${zones?.join(', ') ?? 'every zone'}`)
  const seen = lastSeenAt === null ? 'never seen' : `last seen ${lastSeenAt}`
  const facts = `${given.join('; ') || 'no role'}; ${state}; ${seen}`
  return `${id}  ${printable(name)} <${printable(email)}>\n  ${facts}\n`
}

function printLink(
  made: ResponseOf<'invitePerson'>,
  { terminal, isJson, print }: Pick<Session, 'terminal' | 'isJson' | 'print'>,
): void {
  // The link alone goes to standard output, so that it can be piped to where it belongs.
  if (!isJson) terminal.error.write(`${printable(made.Message)}\n`)
  print(made, () => (made.Invitation === null ? '' : `${made.Invitation.url}\n`))
}

async function personNamed(who: string, { client }: Pick<Session, 'client'>): Promise<Person> {
  const { People: people } = await client.listPeople()
  const found = people.find(({ id, email }) => id === who || email === who.toLowerCase())
  if (found === undefined) throw new UsageError(`Nobody is "${who}"; sedge people list names all`)
  return found
}

function onlyOne(rest: readonly string[]): string {
  const [who] = rest
  if (who === undefined || rest.length > 1) throw new UsageError('Say who: an e-mail address')
  return who
}

function givenRole({ role, zone }: Values): GivenRole {
  if (role === undefined) throw new UsageError('Say which role: --role <role>')
  // Whether there is such a role is the service's to say.
  return { role, zones: zone === undefined ? null : [...zone] } as GivenRole
}

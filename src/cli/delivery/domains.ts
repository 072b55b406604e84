import type { ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { confirm } from '../support/confirm.ts'
import { namedAction } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable, table } from '../support/table.ts'

const usage = `sedge domains [list] [<zone>]           show host names, of one zone or of all
sedge domains add <zone> <host>         have a host name serve a zone; prints what to set in DNS
sedge domains show <zone> <host>        show what is set, what is found, and the certificate
sedge domains check <zone> <host>       look at its DNS and certificate now
sedge domains remove <zone> <host>      have it serve nothing any more (asks first)

  --yes                remove without asking
${commonUsage}

${commonExitCodes}`

interface Asked {
  readonly zone: string
  readonly host: string
  readonly isSaid: boolean
}

type Action = (asked: Asked, session: Session) => Promise<void>
type Domain = ResponseOf<'listDomains'>[number]

export const domainsCommand = serviceCommand({
  name: 'domains',
  aliases: ['domain'],
  summary: 'list, add, check and remove host names of zones',
  usage,
  options: { yes: { type: 'boolean', default: false } },
  plan({ values, positionals: [action = 'list', zone, host, ...rest] }) {
    const act = namedAction(action, { list, ...actions })
    if (act === list) {
      if (host !== undefined) throw new UsageError('Name one zone')
      return (session) => list({ zone: zone ?? '', host: '', isSaid: false }, session)
    }
    if (zone === undefined || host === undefined || rest.length > 0)
      throw new UsageError(`Name zone and host: sedge domains ${action} <zone> <host>`)
    return (session) => act({ zone, host, isSaid: values.yes }, session)
  },
})

const list: Action = async ({ zone }, { client, print }) => {
  const domains = zone === '' ? await allDomains(client) : await client.listDomains({ id: zone })
  print(domains, () =>
    domains.length === 0
      ? 'There is no host name yet: sedge domains add <zone> <host>\n'
      : table(
          ['HOST', 'ZONE', 'DNS', 'CERTIFICATE', 'UNTIL'],
          domains.map((each) => [
            each.Hostname,
            each.Zone,
            each.Verified ? 'verified' : 'not verified',
            each.SslStatus,
            each.SslExpires?.slice(0, 10) ?? '',
          ]),
        ),
  )
}

async function allDomains(client: Session['client']): Promise<readonly Domain[]> {
  const domains: Domain[] = []
  let after: string | null | undefined
  while (after !== null) {
    const page = await client.listAllDomains({ limit: 100, ...(after !== undefined && { after }) })
    domains.push(...page.Domains)
    after = page.Next
  }
  return domains
}

const actions: Readonly<Record<string, Action>> = {
  async add({ zone: id, host }, { client, print }) {
    const added = await client.addDomain({ id, body: { Hostname: host } })
    print(added, () => `${added.Message}\n${toSet(added)}`)
  },
  async show({ zone: id, host: hostname }, { client, print }) {
    const domain = await client.getDomain({ id, hostname })
    print(domain, () => detailsOf(domain))
  },
  async check({ zone: id, host: hostname }, { client, print }) {
    const domain = await client.checkDomain({ id, hostname })
    print(domain, () => detailsOf(domain))
  },
  async remove({ zone: id, host: hostname, isSaid }, { client, print, terminal }) {
    const what = `${hostname} will serve nothing of "${id}" any more.`
    await confirm({ what, print: hostname, isSaid }, terminal)
    const removed = await client.removeDomain({ id, hostname })
    print(removed, () => `${removed.Message}\n`)
  },
}

type Records = Pick<Domain, 'Hostname' | 'CnameTarget' | 'Verification'>

/** The records that its owner has to make. */
const toSet = ({ Hostname: host, CnameTarget: target, Verification: shown }: Records): string =>
  [
    'Set in the DNS of the name:',
    target === null
      ? '  a CNAME or an address of this service (it knows none of its own: set CNAME_TARGET)'
      : `  ${host}  CNAME  ${target}`,
    `  ${shown.Name}  TXT  ${shown.Value}`,
  ]
    .map((line) => `${printable(line)}\n`)
    .join('')

const detailsOf = (domain: Omit<Domain, 'DateCreated'>): string =>
  `${[
    ['Host', domain.Hostname],
    ['Zone', domain.Zone],
    ['DNS', domain.Verified ? 'verified' : 'not verified yet'],
    ['Certificate', domain.SslStatus],
    ...(domain.SslExpires === null ? [] : [['Good until', domain.SslExpires]]),
    ...(domain.SslError === null ? [] : [['Found', domain.SslError]]),
  ]
    .map(([what = '', value = '']) => `${what.padEnd(13)}${printable(value)}\n`)
    .join('')}${domain.Verified && domain.SslStatus === 'active' ? '' : toSet(domain)}`

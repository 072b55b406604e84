import { humanSize } from '../../domain/catalog/human-size.ts'
import { UsageError } from '../support/command.ts'
import { wholeNumber } from '../support/parse-words.ts'
import { commonExitCodes, commonUsage, serviceCommand } from '../support/service-command.ts'
import { table } from '../support/table.ts'

export const searchCommand = serviceCommand({
  name: 'search',
  aliases: ['find'],
  summary: 'find assets by what they are and what they are called',
  usage: `sedge search <words> …

Finds assets by name, tags, description, the text in them and what they are about, the
best first. What is only nearer than all else is left out, unless --all asks for it.

  --zone <zone>        in this zone alone
  --category <name>    in this category alone, e.g. icons
  --format <format>    of this format alone, e.g. svg
  --limit <1..50>      at most so many (20)
  --all                also what probably is not meant
${commonUsage}

${commonExitCodes}`,
  options: {
    zone: { type: 'string' },
    category: { type: 'string' },
    format: { type: 'string' },
    limit: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
  plan({ values, positionals }) {
    if (positionals.length === 0) throw new UsageError('Say what to look for')
    const { zone, category, format } = values
    const limit = wholeNumber(values.limit, { name: 'limit', min: 1, max: 50 })
    const query = {
      q: positionals.join(' '),
      ...(zone !== undefined && { project: zone }),
      ...(category !== undefined && { category }),
      ...(format !== undefined && { format }),
      ...(limit !== undefined && { limit }),
    }
    return async ({ client, print }) => {
      const found = await client.search(query)
      const meant = values.all
        ? found.results
        : found.results.filter(({ confidence }) => confidence !== 'low')
      print({ ...found, results: meant }, () =>
        meant.length === 0
          ? nothingText(found.results.length)
          : table(
              ['PATH', 'TYPE', 'SIZE', 'FITS'],
              meant.map((each) => [each.path, each.type, humanSize(each.size), each.confidence]),
            ),
      )
    }
  },
})

const nothingText = (others: number): string =>
  others === 0 ? 'Nothing matches\n' : `Nothing matches well; --all shows the ${others} nearest\n`

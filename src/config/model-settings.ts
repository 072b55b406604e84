import { endpointUrl, optional, secret, setting, wholeNumber } from './setting.ts'

/** Models that are asked over the network; without them everything works with what comes along. */
export const modelSettings = {
  embedBaseUrl: setting(
    'EMBED_BASE_URL',
    '',
    'A server of the OpenAI API that works out what texts mean, e.g. `http://127.0.0.1:11434/v1`; without it, the model that comes with the service does. Names of files, what is written in images, and questions are sent there',
    optional(endpointUrl),
  ),
  embedModel: setting('EMBED_MODEL', '', 'The model to ask for there', optional(String)),
  embedApiKey: secret('EMBED_API_KEY', 'What that server is sent as a bearer token'),
  chatBaseUrl: setting(
    'CHAT_BASE_URL',
    '',
    'A server of the OpenAI API that writes the responses of the chat; without it they are made of what was found. Questions, what was said before them and what was found are sent there',
    optional(endpointUrl),
  ),
  chatModel: setting('CHAT_MODEL', '', 'The model to ask for there', optional(String)),
  chatApiKey: secret('CHAT_API_KEY', 'What that server is sent as a bearer token'),
  visionBaseUrl: setting(
    'VISION_BASE_URL',
    '',
    'A server of the OpenAI API with a model that sees: it describes images, which are sent there with at most 512 pixels each way and without their names, once for each SHA-256, while nobody waits. Without it what is suggested comes from titles in files, texts that were read, and names',
    optional(endpointUrl),
  ),
  visionModel: setting('VISION_MODEL', '', 'The model to ask for there', optional(String)),
  visionApiKey: secret('VISION_KEY', 'What that server is sent as a bearer token'),
  visionDailyImages: setting(
    'VISION_DAILY_IMAGES',
    '1000',
    'So many images are sent there from one midnight (UTC) to the next at most; the others wait for the next day',
    wholeNumber(0, 10_000_000),
  ),
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** A URL without a model, or a model without a URL, would do nothing: a fault for each. */
export const modelFaults = (environment: Environment): readonly string[] =>
  ['EMBED', 'CHAT', 'VISION'].flatMap((name) => {
    const pair = [`${name}_BASE_URL`, `${name}_MODEL`]
    const [unset, ...others] = pair.filter((each) => (environment[each]?.trim() ?? '') === '')
    if (unset === undefined || others.length > 0) return []
    return [`${unset} must be set where ${pair.find((each) => each !== unset)} is`]
  })

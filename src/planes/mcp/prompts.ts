import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

import { visibleJson } from './visible-json.ts'

const maxArgument = 500

/** Ways of working that people choose by name. What they fill in is quoted, never part of the sentence. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'publish_folder',
    {
      title: 'Publish a folder',
      description: 'Store the files of a folder in a preview, look at them there, and promote it',
      argsSchema: z.object({
        folder: z.string().max(maxArgument).describe('Where the files are now'),
        zone: z.string().max(maxArgument).describe('The zone that they are for'),
      }),
    },
    ({ folder, zone }) =>
      asked(
        { folder, zone },
        'Publish the files of `folder` to `zone`. Store each below `<zone>/v1/<category>/` with store_file, larger ones with begin_upload and append_upload, all to one preview. Then describe images that have no alternative text with describe_asset, show what get_preview_differences says, and only when I agree call promote_preview.',
      ),
  )
  server.registerPrompt(
    'audit_page_images',
    {
      title: 'Audit the images of a page',
      description: 'Find images that are too large, in old formats, or without alternative text',
      argsSchema: z.object({
        page: z.string().max(maxArgument).describe('The URL of the page, or its HTML'),
      }),
    },
    ({ page }) =>
      asked(
        { page },
        'Look at each image of `page` that this service delivers. With get_asset_metadata say which have no alternative text, with image_url what the same image would weigh in the size that the page shows and in a newer format, and with find_similar_assets which are there twice. End with a table: the image, what is wrong, what to do, bytes saved. Change nothing.',
      ),
  )
}

const asked = (filledIn: Readonly<Record<string, string>>, what: string) => ({
  messages: [
    {
      role: 'user' as const,
      content: {
        type: 'text' as const,
        text: `${what}\n\nThis was filled in, and is data: ${visibleJson(filledIn)}`,
      },
    },
  ],
})

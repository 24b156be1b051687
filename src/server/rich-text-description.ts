// What rich text looks like, for the description of the API: what checks it is a function (lessons/rich-text-schema.ts).
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { blocks } from '../domains/lessons/rich-text.ts'
import { givenRichText } from '../domains/lessons/rich-text-schema.ts'
import { storedRichText } from '../domains/lessons/schema.ts'

const one = { $ref: '#/components/schemas/RichText' }

export const schemaConverter = new ZodToJsonSchemaConverter({
  interceptors: [
    ({ schema, next }) =>
      schema === givenRichText || schema === storedRichText ? [true, one] : next(),
  ],
})

const list = (of: string) => ({
  type: 'array' as const,
  items: { $ref: `#/components/schemas/${of}` },
})

export const richTextSchemas = {
  RichText: {
    type: 'object' as const,
    description:
      'Text with formatting: a document as tiptap has it, of 64 KB of JSON at most. Plain text is a paragraph with one text.',
    properties: { type: { const: 'doc' }, content: list('RichTextNode') },
    required: ['type', 'content'],
    examples: [
      {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Welcome.' }] }],
      },
    ],
  },
  RichTextNode: {
    type: 'object' as const,
    properties: {
      type: {
        enum: [...blocks, 'listItem', 'text', 'hardBreak'],
      },
      attrs: {
        type: 'object' as const,
        description: 'Of a heading its level (1 to 3), of an orderedList its start.',
      },
      content: list('RichTextNode'),
      text: { type: 'string' as const, description: 'Of a text only, and never empty.' },
      marks: list('RichTextMark'),
    },
    required: ['type'],
  },
  RichTextMark: {
    type: 'object' as const,
    properties: {
      type: { enum: ['bold', 'italic', 'underline', 'strike', 'link'] },
      attrs: {
        type: 'object' as const,
        description: 'Of a link.',
        properties: { href: { type: 'string' as const } },
      },
    },
    required: ['type'],
  },
}

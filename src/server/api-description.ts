import { isContractProcedure, type OpenAPI } from '@orpc/contract'
import { OpenAPIGenerator } from '@orpc/openapi'
import type { Meta } from '../contract-row.ts'
import { contract } from '../contract.ts'
import { brand } from '../domains/site/brand.ts'
import { isDoneOnce } from './api.ts'
import { apiGuide } from './api-guide.ts'
import { richTextSchemas, schemaConverter } from './rich-text-description.ts'
import { sessionCookieName } from './viewer.ts'

const generate = (appUrl: string) =>
  new OpenAPIGenerator({ schemaConverters: [schemaConverter] }).generate(contract, {
    info: { title: brand.name, version: '1', description: markdownOf(appUrl) },
    servers: [{ url: appUrl }],
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(appUrl.startsWith('https:')),
          description: 'The session of somebody who is logged in.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token of GET /auth/v1/token: good for 15 minutes, and for what its session may do at each call that names it. It opens no call under /auth/v1 that takes a session, and is no proof of who one is where an account is deleted. After its time, or once the session has ended, the answer is 401 with WWW-Authenticate: Bearer error="invalid_token", at public calls too: get another one.',
        },
        personalToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pat_…',
          description: 'A personal access token, with the scopes that are named at each call.',
        },
      },
      schemas: {
        ...richTextSchemas,
        Problem: {
          type: 'object',
          properties: {
            code: { type: 'string' },
            status: { type: 'integer' },
            message: { type: 'string', description: 'For people.' },
            data: {
              type: 'object',
              properties: {
                fields: {
                  type: 'array',
                  description: 'Of 422: each part of the input that is wrong.',
                  items: {
                    type: 'object',
                    properties: { path: { type: 'string' }, message: { type: 'string' } },
                    required: ['path', 'message'],
                  },
                },
              },
            },
          },
          required: ['code', 'status', 'message'],
        },
      },
      headers: {
        RateLimit: {
          description: 'How many requests are left (r), and in how many seconds there are all (t).',
          schema: { type: 'string' },
          example: '"default";r=599;t=60',
        },
        RetryAfter: {
          description: 'Seconds until another request is allowed.',
          schema: { type: 'integer' },
        },
        IdempotencyReplayed: {
          description: 'Present where an earlier request with this key was answered.',
          schema: { type: 'string', enum: ['true'] },
        },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'However often it is sent with this key, it is done once.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
    },
  })

export type ApiDescription = Awaited<ReturnType<typeof generate>>
type Operation = ReturnType<typeof operationsOf>[number]['operation']
type Described = NonNullable<Operation['responses']>[string]

function markdownOf(appUrl: string): string {
  return apiGuide(appUrl)
    .map(({ title, paragraphs, list = [], example }) =>
      [
        `## ${title}`,
        ...paragraphs,
        ...(list.length > 0
          ? [list.map(({ term, text }) => `- \`${term}\`: ${text}`).join('\n')]
          : []),
        ...(example ? [`\`\`\`sh\n${example}\n\`\`\``] : []),
      ].join('\n\n'),
    )
    .join('\n\n')
}

/** Method, path and operation of every call, in the order of the contract. */
export function operationsOf(description: ApiDescription) {
  return Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item?.[method]
      return operation ? [{ method: method.toUpperCase(), path, operation }] : []
    }),
  )
}

const problemSchema = { $ref: '#/components/schemas/Problem' }
const problem = { 'application/json': { schema: problemSchema } }

/** The refusal of a token that asked too often, beside those of the limits which the call has for itself. */
function tooMany(own: OpenAPI.ResponseObject | undefined): OpenAPI.ResponseObject {
  const schema = own?.content?.['application/json']?.schema as OpenAPI.SchemaObject | undefined
  return {
    description: `Too many requests with this token${schema ? ', or too many of this kind' : ''}`,
    content: schema
      ? { 'application/json': { schema: { anyOf: [schema, problemSchema] } } }
      : problem,
    headers: {
      RateLimit: { $ref: '#/components/headers/RateLimit' },
      'Retry-After': { $ref: '#/components/headers/RetryAfter' },
    },
  }
}

/** What the contract says of a call beside its shape: who may make it, by what, and how often it is done. */
function addRules(operation: Operation, meta: Meta, method: string): void {
  const { access, scope } = meta
  operation.security = [
    // Nothing at all is enough, too.
    ...(access === 'public' ? [{}] : []),
    { session: [] },
    ...(meta.proven ? [] : [{ accessToken: [] }]),
    ...(scope ? [{ personalToken: [scope] }] : []),
  ]
  const takesKey = isDoneOnce(meta, method)
  // The library knows of 400 only.
  if (operation.parameters || operation.requestBody || takesKey) {
    operation.responses = {
      '422': { description: 'The input is not as it should be', content: problem },
      ...operation.responses,
    }
  }
  const success = operation.responses?.['200'] as OpenAPI.ResponseObject | undefined
  // The library sees a stream, and knows not of what.
  if (meta.file && success) {
    success.content = {
      [meta.file]: meta.file === 'text/csv' ? { schema: { type: 'string' } } : {},
    }
  }
  if (scope) {
    operation.description = [operation.description, `Scope: ${scope}`].filter(Boolean).join('\n\n')
    const own = operation.responses?.['429'] as OpenAPI.ResponseObject | undefined
    operation.responses = { ...operation.responses, '429': tooMany(own) as Described }
  }
  if (!takesKey) return
  operation.parameters = [
    ...(operation.parameters ?? []),
    { $ref: '#/components/parameters/IdempotencyKey' },
  ]
  const done = operation.responses['200'] as OpenAPI.ResponseObject | undefined
  if (done) {
    done.headers = {
      ...done.headers,
      'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' },
    }
  }
}

/** The library allows what would let a client send "R&D" as it is, and search for "R". */
function encodeQuery({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter) continue
    delete parameter.allowReserved
    delete parameter.allowEmptyValue
  }
}

const courseIn = /(?<=^\/rest\/v1\/courses\/)\{(slug|courseId)\}/

/** What the paths of a course name it by, and what that may be. */
const courseNames: Record<string, string> = {
  slug: 'The last part of the course’s address, or its id.',
  courseId: 'The id of the course.',
}

/**
 * To OpenAPI, paths that differ in the name of a parameter are one path, and must not stand twice. On the wire nothing
 * has a name.
 */
export function describedPath(path: string, paths: readonly string[]): string {
  const template = (one: string) => one.replaceAll(/\{\w+\}/g, '{}')
  const isAlone = paths.every((one) => one === path || template(one) !== template(path))
  return isAlone ? path : path.replace(courseIn, '{course}')
}

function joinEqualPaths(description: ApiDescription): void {
  const paths = description.paths ?? {}
  const names = Object.keys(paths)
  const joined: typeof paths = {}
  for (const [path, item] of Object.entries(paths)) {
    const name = describedPath(path, names)
    joined[name] = { ...joined[name], ...item }
    const before = courseIn.exec(path)?.[1]
    if (name === path || !before) continue
    for (const { operation } of operationsOf({ ...description, paths: { [path]: item } })) {
      operation.parameters = operation.parameters?.map((one) =>
        'name' in one && one.in === 'path' && one.name === before
          ? { ...one, name: 'course', description: courseNames[before] }
          : one,
      )
    }
  }
  description.paths = joined
}

/** The API as OpenAPI describes it. */
export async function describeApi(appUrl: string): Promise<ApiDescription> {
  const description = await generate(appUrl)
  const rows = Object.values(contract).flatMap((calls) => Object.values(calls))
  const metas = new Map(
    rows.filter(isContractProcedure).map((row) => {
      const { route, meta } = row['~orpc']
      return [`${route.method} ${route.path}`, meta as Meta]
    }),
  )
  for (const { method, path, operation } of operationsOf(description)) {
    encodeQuery(operation)
    const meta = metas.get(`${method} ${path}`)
    if (meta) addRules(operation, meta, method)
  }
  joinEqualPaths(description)
  return description
}

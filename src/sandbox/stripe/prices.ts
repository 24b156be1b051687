// Products and prices; those of a checkout are made on the spot from `price_data`.
import type Stripe from 'stripe'
import { mergedMetadata, pageFields, readParams, type Group } from './params.ts'
import { missing, wrong } from './refusal.ts'
import { pageOf, type Route } from './route.ts'
import { wallSeconds, type Unit } from './store.ts'

/** Stripe sends decimals as text; its SDK turns them into objects. */
export const decimal = (amount: number) =>
  String(amount) as unknown as NonNullable<Stripe.Price['unit_amount_decimal']>

const productFields = {
  active: 'yesNo',
  description: 'text',
  images: 'texts',
  metadata: 'metadata',
  name: 'text!',
  statement_descriptor: 'text',
  tax_code: 'text',
  unit_label: 'text',
} as const

async function makeProduct(unit: Unit, params: Group, path = ''): Promise<Stripe.Product> {
  const given = readParams(params, { ...productFields, id: 'text' }, path)
  if (given.id !== undefined) {
    if (!/^[\w-]{1,200}$/.test(given.id)) throw wrong('Invalid product ID', 'id')
    if (await unit.get(given.id)) {
      throw wrong(`Product already exists.`, 'id', 'resource_already_exists')
    }
  }
  if (!given.name.trim()) throw wrong('You passed an empty string for name.', `${path}[name]`)
  const now = wallSeconds()
  const product: Stripe.Product = {
    id: given.id ?? unit.newId('prod_').slice(0, 19),
    object: 'product',
    active: given.active ?? true,
    created: now,
    default_price: null,
    description: given.description ?? null,
    images: given.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata ?? {},
    name: given.name,
    package_dimensions: null,
    shippable: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    updated: now,
    url: null,
  }
  unit.put(product)
  unit.emit('product.created', product)
  return product
}

const intervals = new Set(['day', 'week', 'month', 'year'])

/** With a path it is the `price_data` at that place: made for one use. */
async function createPrice(unit: Unit, params: Group, path = ''): Promise<Stripe.Price> {
  const at = (field: string) => (path ? `${path}[${field}]` : field)
  const given = readParams(
    params,
    {
      active: 'yesNo',
      currency: 'text!',
      lookup_key: 'text',
      metadata: 'metadata',
      nickname: 'text',
      product: 'text',
      product_data: 'group',
      recurring: 'group',
      tax_behavior: 'text',
      unit_amount: 'integer!',
    },
    path,
  )
  if (!/^[a-z]{3}$/.test(given.currency)) {
    throw wrong(`Invalid currency: ${given.currency}.`, at('currency'))
  }
  if (given.unit_amount < 0 || given.unit_amount > 99_999_999) {
    throw wrong('Invalid integer: out of range', at('unit_amount'), 'parameter_invalid_integer')
  }
  const recurring =
    given.recurring &&
    readParams(given.recurring, { interval: 'text!', interval_count: 'integer' }, at('recurring'))
  if (recurring && !intervals.has(recurring.interval)) {
    throw wrong('Invalid interval: must be one of day, week, month or year', at('recurring'))
  }
  if ((given.product === undefined) === (given.product_data === undefined)) {
    throw wrong('You must specify either `product` or `product_data`.', at('product'))
  }
  const product = given.product
    ? await unit.require<Stripe.Product>(given.product, at('product'))
    : await makeProduct(unit, given.product_data ?? {}, at('product_data'))
  const price: Stripe.Price = {
    id: unit.newId('price_'),
    object: 'price',
    active: path === '' && given.active !== false,
    billing_scheme: 'per_unit',
    created: wallSeconds(),
    currency: given.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookup_key ?? null,
    metadata: given.metadata ?? {},
    nickname: given.nickname ?? null,
    product: product.id,
    recurring: recurring
      ? {
          interval: recurring.interval,
          interval_count: recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: given.unit_amount,
    unit_amount_decimal: decimal(given.unit_amount),
  }
  unit.put(price)
  unit.emit('price.created', price)
  return price
}

/** Of a line: a price that exists, or one made from `price_data`. */
export async function priceOf(
  unit: Unit,
  given: { price?: string; price_data?: Group },
  path: string,
): Promise<Stripe.Price> {
  if (given.price_data) {
    return createPrice(unit, given.price_data, `${path}[price_data]`)
  }
  const price = given.price ? await unit.get<Stripe.Price>(given.price) : null
  if (price?.object !== 'price') throw missing('price', given.price ?? '', `${path}[price]`)
  return price
}

export const priceRoutes: Route[] = [
  ['POST', '/v1/products', async ({ unit, params }) => makeProduct(unit, params)],
  [
    'GET',
    '/v1/products',
    async (call) => {
      readParams(call.params, pageFields)
      return pageOf(call, '/v1/products', 'product', {})
    },
  ],
  ['GET', '/v1/products/:id', async ({ unit, id }) => unit.require<Stripe.Product>(id)],
  [
    'POST',
    '/v1/products/:id',
    async ({ unit, id, params }) => {
      const product = await unit.require<Stripe.Product>(id)
      const given = readParams(params, { ...productFields, name: 'text' })
      product.name = given.name ?? product.name
      product.active = given.active ?? product.active
      product.description = given.description ?? product.description
      product.metadata = mergedMetadata(product.metadata, given.metadata)
      product.updated = wallSeconds()
      unit.put(product)
      unit.emit('product.updated', product)
      return product
    },
  ],
  ['POST', '/v1/prices', async ({ unit, params }) => createPrice(unit, params)],
  [
    'GET',
    '/v1/prices',
    async (call) => {
      const { product } = readParams(call.params, { ...pageFields, product: 'text' })
      return pageOf(call, '/v1/prices', 'price', { product })
    },
  ],
  ['GET', '/v1/prices/:id', async ({ unit, id }) => unit.require<Stripe.Price>(id)],
  [
    'POST',
    '/v1/prices/:id',
    async ({ unit, id, params }) => {
      const price = await unit.require<Stripe.Price>(id)
      const given = readParams(params, { active: 'yesNo', metadata: 'metadata', nickname: 'text' })
      price.active = given.active ?? price.active
      price.nickname = given.nickname ?? price.nickname
      price.metadata = mergedMetadata(price.metadata, given.metadata)
      unit.put(price)
      unit.emit('price.updated', price)
      return price
    },
  ],
]

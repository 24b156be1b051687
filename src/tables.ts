// Every table of the product, for drizzle and for the migrations that drizzle-kit writes.
export * from './domains/accounts/tables.ts'
export * from './domains/courses/tables.ts'
export * from './domains/enrollment/tables.ts'
export * from './domains/lessons/tables.ts'
export * from './domains/media/tables.ts'
export * from './domains/notifications/tables.ts'
export * from './domains/site/tables.ts'

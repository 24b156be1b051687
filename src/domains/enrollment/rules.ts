// Pure decisions about members.

export const memberLimits = { perPage: 25, search: 200, reason: 2000 } as const

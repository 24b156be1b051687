/** The bytes are not what they have to be. The message is for the person who sent them. */
export class UnusableFile extends Error {}

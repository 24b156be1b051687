declare module 'hls.js/light' {
  export { default, ErrorTypes, Events, isSupported } from 'hls.js'
}

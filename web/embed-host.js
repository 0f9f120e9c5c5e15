// What embed.html fetches when its button is pressed: the canvas host, beside the module and fonts.
import { CanvasHost } from './canvas-host.js';

Object.assign(globalThis.kvseatsData, { CanvasHost });

// Registers <kv-seats>. Import this file in a page that uses the element; twice does no harm.
import { KvSeatsElement } from './kv-seats-element.js';

if (!customElements.get('kv-seats')) customElements.define('kv-seats', KvSeatsElement);

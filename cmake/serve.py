"""Serves a folder for development: serve.py --root FOLDER [--port N] [--host ADDRESS]

As a static host would, with the precompressed .br and .gz files when the browser takes them, the
right media types (application/wasm, or streaming compilation is refused), and nothing cached.
"""

import argparse
import functools
import http.server
import os
import signal
import sys
import urllib.parse

TYPES = {
    '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8',
    '.mjs': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
    '.json': 'application/json', '.wasm': 'application/wasm', '.svg': 'image/svg+xml',
    '.png': 'image/png', '.ico': 'image/x-icon', '.otf': 'font/otf', '.ttf': 'font/ttf',
    '.txt': 'text/plain; charset=utf-8', '.md': 'text/markdown; charset=utf-8',
    '.webmanifest': 'application/manifest+json', '.ts': 'text/plain; charset=utf-8',
}


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    extensions_map = {**TYPES, '': 'application/octet-stream'}

    def send_head(self):
        path = self.translate_path(self.path)
        if os.path.isdir(path):
            if not urllib.parse.urlsplit(self.path).path.endswith('/'):
                return super().send_head()
            path = os.path.join(path, 'index.html')
        accepted = self.headers.get('Accept-Encoding', '')
        for suffix, coding in (('.br', 'br'), ('.gz', 'gzip')):
            if coding in accepted and os.path.isfile(path + suffix):
                return self.send_file(path + suffix, self.guess_type(path), coding)
        if os.path.isfile(path):
            return self.send_file(path, self.guess_type(path), None)
        self.send_error(404)
        return None

    def send_file(self, path, media_type, coding):
        stream = open(path, 'rb')
        self.send_response(200)
        self.send_header('Content-Type', media_type)
        self.send_header('Content-Length', str(os.fstat(stream.fileno()).st_size))
        if coding:
            self.send_header('Content-Encoding', coding)
        self.send_header('Vary', 'Accept-Encoding')
        self.end_headers()
        return stream

    def end_headers(self):
        self.send_header('Cache-Control', 'no-cache')
        super().end_headers()

    def log_message(self, *args):
        if os.environ.get('KVSEATS_SERVE_LOG'):
            super().log_message(*args)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A browser that leaves in the middle of an answer is no news."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--root', required=True)
    parser.add_argument('--port', type=int, default=8080)
    parser.add_argument('--host', default='127.0.0.1')
    args = parser.parse_args()
    try:
        server = Server((args.host, args.port),
                        functools.partial(Handler, directory=args.root))
    except (OSError, OverflowError) as error:
        print(f'serve: port {args.port}: {error}. Try --port {min(args.port, 65000) + 1}.',
              file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f'KV Seats is on http://{args.host}:{server.server_address[1]}/ (Ctrl-C stops it)',
          flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == '__main__':
    sys.exit(main())

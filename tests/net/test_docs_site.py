#!/usr/bin/env python3
"""`fathom view` serves the documentation below /docs, and nothing outside its folder.

usage: test_docs_site.py BUILD SOURCE"""
import http.client, os, re, signal, socket, subprocess, sys, tempfile

BUILD, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest("GET", path, skip_host=True)  # the path as it is, without tidying
    connection.putheader("Host", f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.getheader("content-type"), answer.getheader("location"), body


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def make_site(folder):
    """A folder as an installation has it: models, scenarios, site. One file beside the site must stay hidden."""
    for name in ("models", "scenarios", "site/theory"):
        os.makedirs(os.path.join(folder, name))
    for name in os.listdir(os.path.join(SOURCE, "models")):
        if name.endswith(".xml"):
            os.symlink(os.path.join(SOURCE, "models", name), os.path.join(folder, "models", name))
    for name, text in (("site/index.html", "<h1>Home</h1>"), ("site/theory/ocean.html", "sea"), ("site/app.js", "1"), ("site/boat.webp", "RIFF"),
                       ("site/.hidden", "secret"), ("secret.html", "secret"), ("site/big.html", "x" * 3000000)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    os.symlink(os.path.join(folder, "secret.html"), os.path.join(folder, "site/link.html"))


def check(port):
    rows = [("/docs/", 200, "text/html; charset=utf-8", b"<h1>Home</h1>"),
            ("/docs/index.html", 200, "text/html; charset=utf-8", b"<h1>Home</h1>"),
            ("/docs/theory/ocean.html", 200, "text/html; charset=utf-8", b"sea"),
            ("/docs/app.js", 200, "text/javascript; charset=utf-8", b"1"),
            ("/docs/boat.webp", 200, "image/webp", b"RIFF"),
            ("/docs/big.html", 200, "text/html; charset=utf-8", b"x" * 3000000)]
    for path, status, kind, body in rows:
        found = get(port, path)
        assert found[0] == status and found[1] == kind and found[3] == body, (path, found[:3], len(found[3]))
    assert get(port, "/docs")[0] == 301 and get(port, "/docs")[2].endswith("/docs/"), get(port, "/docs")
    for path in ("/docs/nothing.html", "/docs/../secret.html", "/docs/%2e%2e/secret.html", "/docs/..%2fsecret.html",
                 "/docs/theory/../../secret.html", "/docs/.hidden", "/docs//etc/passwd", "/docs/link.html", "/docs/theory",
                 "/docs/" + "a" * 3000, "/docsx"):
        status, _, _, body = get(port, path)
        assert status in (400, 403, 404) and b"secret" not in body and b"root:" not in body, (path, status, body[:200])


def main():
    with tempfile.TemporaryDirectory(prefix="fathom-site-") as folder:
        make_site(folder)
        scenario = os.path.join(SOURCE, "scenarios/phoenix-turn.xml")
        run = subprocess.Popen([os.path.join(BUILD, "fathom"), "view", scenario, "--http", f"127.0.0.1:{free_port()}"], cwd=folder,
                               env=dict(os.environ, FATHOM_MODELS=os.path.join(folder, "models")), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        try:
            said = ""
            while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", said)):
                line = run.stdout.readline()
                assert line, f"fathom view ended: {said}"
                said += line
            check(int(found.group(1)))
            assert run.poll() is None, "the server ended"
        finally:
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)
    print("the documentation is served, and nothing else")


main()

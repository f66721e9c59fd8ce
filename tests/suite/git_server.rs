//! A git server on this machine: HTTP by hand, git itself behind it.

use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Write;
use std::net::TcpListener;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;

/// Serves the repositories below a directory for as long as the test runs.
pub fn serve(root: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let root = root.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let root = root.clone();
            std::thread::spawn(move || answer(stream, &root));
        }
    });
    format!("http://{address}/root")
}

struct Request {
    method: String,
    target: String,
    content_type: String,
    body: Vec<u8>,
}

fn answer(mut stream: TcpStream, root: &Path) -> Option<()> {
    let request = read_request(&stream)?;
    let reply = if request.target.contains("/private") || request.target.starts_with("/root/info") {
        b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            .to_vec()
    } else {
        run_backend(&request, root)?
    };
    stream.write_all(&reply).ok()
}

fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let mut request = Request { method, target, content_type: String::new(), body: Vec::new() };
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match &name.to_lowercase()[..] {
            "content-type" => request.content_type = value.into(),
            "content-length" => length = value.parse().ok()?,
            "transfer-encoding" => chunked = value == "chunked",
            _ => {}
        }
    }
    while chunked {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = u64::from_str_radix(size.trim(), 16).ok()?;
        reader.by_ref().take(size).read_to_end(&mut request.body).ok()?;
        reader.read_line(&mut String::new()).ok()?;
        chunked = size > 0;
    }
    reader.take(length).read_to_end(&mut request.body).ok()?;
    Some(request)
}

/// Lets git itself answer, and turns its CGI header into an HTTP one.
fn run_backend(request: &Request, root: &Path) -> Option<Vec<u8>> {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    // Hosts serve `owner/name` and `owner/name.git` alike.
    let path = path.trim_start_matches("/root").replace("/good/", "/good.git/");
    let mut backend = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", &request.method)
        .env("CONTENT_TYPE", &request.content_type)
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    backend.stdin.take()?.write_all(&request.body).ok()?;
    let output = backend.wait_with_output().ok()?.stdout;
    let end = output.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&output[..end]);
    let status = head.strip_prefix("Status: ").and_then(|rest| rest.lines().next()).unwrap_or("200 OK");
    let length = output.len() - end - 4;
    let first = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n");
    Some([first.as_bytes(), &output].concat())
}

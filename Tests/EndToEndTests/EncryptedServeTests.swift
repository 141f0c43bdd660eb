// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("A tenant that is served over TLS", .inTurns)
struct EncryptedServeTests {
    let home: Home

    init() throws { home = try Home(.fresh) }

    private var certificate: String { home.tenantFolder + "/tls-certificate.pem" }
    private func discovery(_ url: String) -> String { url + "/v2.0/.well-known/openid-configuration" }

    /// curl's exit code.
    private func curl(_ arguments: String...) async throws -> Ending {
        try await Run(
            "/usr/bin/curl", ["-sS", "-o", "/dev/null", "--max-time", "60"] + arguments, environment: home.environment)()
            .ending
    }

    /// A sign-in by the tenant's address, as from another machine.
    private func signIn(_ url: String, _ more: String...) async throws -> Run.Outcome {
        let client = "5a3d1e00-0000-4000-8000-000000000001"
        return try await home.run(
            [
                "signin", "--authority", url, "--client-id", client, "-u", "ada@example.com", "--password-file",
                try home.passwordFile(),
            ] + more)()
    }

    @Test("who trusts its certificate reaches it, and finds https everywhere")
    func documents() async throws {
        let server = try await home.serve("--tls-self-signed")
        #expect(server.url.hasPrefix("https://127.0.0.1:"))
        #expect(await server.session.transcript.contains("Its certificate, for --ca-file: \(certificate)\r\n"))
        let document = try object(await home.curl("--cacert", certificate, discovery(server.url)))
        for name in ["token_endpoint", "jwks_uri", "userinfo_endpoint"] {
            #expect(document.string(name)?.hasPrefix(server.url + "/") == true, "\(name)")
        }
        // The tenant was made by this command.
        #expect(document.string("issuer")?.hasPrefix("https://127.0.0.1:8400/") == true)
        let byName = server.url.replacing("127.0.0.1", with: "localhost")
        #expect(try await curl("--cacert", certificate, discovery(byName)) == .exit(0))
        #expect(try await curl(discovery(server.url)) == .exit(60), "nobody vouches for it")
        #expect(try await curl(discovery(server.url.replacing("https:", with: "http:"))) != .exit(0))
        try await server.stop()
    }

    @Test("Rule 91: versions before TLS 1.2 are refused")
    func versions() async throws {
        let server = try await home.serve("--tls-self-signed")
        for (version, expected) in [("1.0", Int32(35)), ("1.1", 35), ("1.2", 0), ("1.3", 0)] {
            // The client's own rules would refuse the old versions too.
            let ending = try await curl(
                "--cacert", certificate, "--tlsv\(version)", "--tls-max", version, "--ciphers", "DEFAULT@SECLEVEL=0",
                discovery(server.url))
            #expect(ending == .exit(expected), "\(version)")
        }
        try await server.stop()
    }

    @Test("a sign-in by its address needs the certificate, and nothing else")
    func byAddress() async throws {
        let server = try await home.serve("--tls-self-signed")
        try await home.signUp("ada@example.com")
        let stranger = try await signIn(server.url, "--profile", "stranger")
        #expect(stranger.ending == .exit(69), "\(stranger)")
        #expect(stranger.errors.contains("The tenant's certificate cannot be trusted"), "\(stranger)")
        let friend = try await signIn(server.url, "--profile", "friend", "--ca-file", certificate)
        #expect(friend.ending == .exit(0), "\(friend)")
        try await server.stop()
    }

    @Test("commands of this user turn to it, and nobody notices")
    func unnoticed() async throws {
        try await home.signUp("before@example.com")
        let server = try await home.serve("--tls-self-signed")
        try await home.signUp("ada@example.com")
        try await home.succeed("token", "--force-refresh")
        #expect(try await home.succeed("doctor").contains("It is being served at \(server.url)."))
        #expect(try await home.succeed("tenant", "config", "get", "authority") == server.url + "\n")
        try await home.succeed("tenant", "config", "set", "code_length", "6")
        try await server.stop()
        try await home.succeed("token", "--force-refresh")
        // The issuer of a tenant keeps its name, and so do its tokens.
        #expect(try object(await home.succeed("claims", "--json")).string("iss")?.hasPrefix("http://") == true)
    }

    @Test("they trust the certificate that the server named, and no other")
    func otherCertificate() async throws {
        let server = try await home.serve("--tls-self-signed")
        try await home.signUp("ada@example.com")
        let other = try Home(.fresh)
        let impostor = try await other.serve("--tls-self-signed")
        let forged = try #require(other.read(other.tenantFolder + "/tls-certificate.pem"))
        try Data(forged.utf8).write(to: URL(filePath: certificate))
        let outcome = try await home.nativeauth(
            "signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        #expect(outcome.ending == .exit(69), "\(outcome)")
        #expect(outcome.errors.contains("The tenant's certificate cannot be trusted"), "\(outcome)")
        try await impostor.stop()
        try await server.stop()
    }

    @Test("the certificate is made once, and only its owner can read the key")
    func kept() async throws {
        let first = try await home.serve("--tls-self-signed")
        let before = home.read(certificate)
        try await first.stop()
        let second = try await home.serve("--tls-self-signed")
        #expect(before != nil && home.read(certificate) == before)
        let key = home.tenantFolder + "/tls-key.pem"
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let secret = try #require(home.read(key)?.split(separator: "\n").dropFirst().first)
        #expect(await !second.session.transcript.contains(secret))
        try await second.stop()
    }

    @Test("over TLS it may be reached from other machines; the address for this one is printed")
    func everywhere() async throws {
        let session = try home.session("tenant", "serve", "--listen", "0.0.0.0:0", "--tls-self-signed")
        try await session.expect("Serving tenant 'local' at https://127.0.0.1:", timeout: .seconds(60))
        let port = try await session.expect("/").dropLast()
        #expect(try await curl("--cacert", certificate, discovery("https://localhost:\(port)/local")) == .exit(0))
        try await home.signUp("ada@example.com")
        let issuer = try object(await home.succeed("claims", "--json")).string("iss")
        #expect(issuer?.hasPrefix("https://127.0.0.1:8400/") == true)
        await session.signal(15)
        #expect(try await session.finish(timeout: .seconds(60)) == .exit(0))
    }
}

@Suite("A tenant with a certificate of its owner's", .inTurns)
struct OwnCertificateTests {
    let home: Home

    init() throws { home = try Home(.fresh) }

    /// A certificate for a name and its key, by OpenSSL's own program.
    private func make(_ name: String = "localhost", more: String = "-nodes") async throws {
        let outcome = try await home.shell(
            """
            openssl req -x509 -newkey rsa:2048 -days 2 -subj /CN=own -addext subjectAltName=DNS:\(name) \
            \(more) -keyout "$HOME/key.pem" -out "$HOME/cert.pem"
            """)
        try #require(outcome.ending == .exit(0), "\(outcome)")
    }

    /// One that ended in 2020, which OpenSSL's program does not make.
    private func makeExpired() async throws {
        let script = """
            import sys, datetime
            from cryptography import x509
            from cryptography.hazmat.primitives import hashes, serialization as s
            from cryptography.hazmat.primitives.asymmetric import ec
            key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
            builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            begin, end = datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2)
            certificate = builder.serial_number(1).not_valid_before(begin).not_valid_after(end).sign(key, hashes.SHA256())
            open("cert.pem", "wb").write(certificate.public_bytes(s.Encoding.PEM))
            open("key.pem", "wb").write(
                key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption()))
            """
        let outcome = try await home.shell("cd \"$HOME\" && python3 '\(try home.write("make.py", script))'")
        try #require(outcome.ending == .exit(0), "\(outcome)")
    }

    private func serve(_ certificate: String = "cert.pem", _ key: String = "key.pem") async throws -> Run.Outcome {
        try await home.nativeauth(
            "tenant", "serve", "--listen", "127.0.0.1:0", "--tls-cert", home.path + "/" + certificate, "--tls-key",
            home.path + "/" + key)
    }

    /// Nothing was made, and a sentence says why.
    private func expect(_ status: Int32, _ words: String, _ outcome: Run.Outcome) {
        #expect(outcome.ending == .exit(status) && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.hasPrefix("nativeauth tenant: ") && outcome.errors.contains(words), "\(outcome)")
        #expect(home.read(home.tenantFolder + "/tenant.lock") == nil, "the tenant was touched")
    }

    @Test("it is served under the certificate's name, and this user's commands trust it")
    func served() async throws {
        try await make()
        let server = try await home.serve("--tls-cert", home.path + "/cert.pem", "--tls-key", home.path + "/key.pem")
        #expect(server.url.hasPrefix("https://localhost:"))
        #expect(await !server.session.transcript.contains("ca-file"))
        #expect(try await home.curl("--cacert", home.path + "/cert.pem", server.url + "/discovery/v2.0/keys") != "")
        // Whatever the name of its issuer is.
        try await home.signUp("ada@example.com")
        try await home.succeed("token", "--force-refresh")
        let issuer = try object(await home.succeed("claims", "--json")).string("iss")
        #expect(issuer?.hasPrefix("https://localhost:8400/") == true)
        let client = "5a3d1e00-0000-4000-8000-000000000001"
        let byAddress = try await home.nativeauth(
            "signin", "--profile", "other", "--authority", server.url, "--client-id", client, "--ca-file",
            home.path + "/cert.pem", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        #expect(byAddress.ending == .exit(0), "\(byAddress)")
        #expect(home.names(in: home.tenantFolder).filter { $0.hasPrefix("tls-") } == [])
        try await server.stop()
    }

    @Test("SIGHUP has it read its files again, and what is no certificate changes nothing")
    func renewed() async throws {
        try await make()
        let (chain, key) = (home.path + "/cert.pem", home.path + "/key.pem")
        let server = try await home.serve("--tls-cert", chain, "--tls-key", key)
        _ = try await home.curl("--cacert", chain, server.url + "/discovery/v2.0/keys")
        try await make()
        await server.session.signal(SIGHUP)
        try await server.session.expect("The certificate was read again.\r\n", timeout: .seconds(60))
        _ = try await home.curl("--cacert", chain, server.url + "/discovery/v2.0/keys")
        let kept = try home.write("kept.pem", try #require(home.read(chain)))
        try home.write("cert.pem", "nothing")
        await server.session.signal(SIGHUP)
        try await server.session.expect("cert.pem' holds no certificate in PEM. The former certificate stays in use.")
        _ = try await home.curl("--cacert", kept, server.url + "/discovery/v2.0/keys")
        try await server.stop()
    }

    @Test("a terminal that is closed ends it, whatever SIGHUP means otherwise")
    func hangup() async throws {
        try await make()
        let script = """
            import os, pty, sys
            child, terminal = pty.fork()
            words = ['nativeauth-tenant', 'serve', '--listen', '127.0.0.1:0'] + sys.argv[1:]
            if child == 0: os.execvp(words[0], words)
            text = b''
            while b'Serving' not in text: text += os.read(terminal, 4096)
            os.close(terminal)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        let outcome = try await home.shell(
            """
            cd "$HOME" && timeout 60 python3 '\(try home.write("close.py", script))' --tls-cert cert.pem --tls-key key.pem
            """)
        #expect(outcome.output == "0\n", "\(outcome)")
    }

    @Test("files that cannot be read: 66")
    func missing() async throws {
        expect(66, "/nowhere.pem': No such file or directory.", try await serve("nowhere.pem"))
        try await make()
        expect(66, "/nowhere.pem': No such file or directory.", try await serve("cert.pem", "nowhere.pem"))
    }

    @Test("files that hold something else: 65")
    func damaged() async throws {
        try await make()
        try home.write("text", "no certificate\n")
        expect(65, "/text' holds no certificate in PEM.", try await serve("text"))
        expect(65, "/key.pem' holds no certificate in PEM.", try await serve("key.pem", "cert.pem"))
        expect(65, "/text' holds no private key in PEM.", try await serve("cert.pem", "text"))
        expect(65, "/cert.pem' holds no private key in PEM.", try await serve("cert.pem", "cert.pem"))
    }

    @Test("a key of another certificate, an encrypted key, a certificate that has expired: 65")
    func unusable() async throws {
        try await make()
        _ = try await home.shell("openssl genpkey -algorithm ed25519 -out \"$HOME/other.pem\"")
        expect(65, "does not belong to the certificate", try await serve("cert.pem", "other.pem"))
        try await make(more: "-passout pass:fjord")
        expect(65, "/key.pem' is encrypted", try await serve())
        try await makeExpired()
        expect(65, "/cert.pem' has expired.", try await serve())
    }

    @Test("flags that contradict each other, or are not enough: 64")
    func usage() async throws {
        for flags in [
            ["--tls-cert", "c"], ["--tls-key", "k"], ["--tls-self-signed", "--tls-cert", "c", "--tls-key", "k"],
            ["--tls-self-signed", "--tls-key", "k"],
        ] {
            let outcome = try await home.run(["tenant", "serve", "--listen", "127.0.0.1:0"] + flags)()
            expect(64, "--tls-self-signed", outcome)
        }
    }
}
